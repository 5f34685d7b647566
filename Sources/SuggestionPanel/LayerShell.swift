// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

internal import CGTK
internal import DesktopFields
internal import Glibc
internal import MainLoop

/// The library gtk-layer-shell, where it is installed and the compositor knows its protocol (wlroots, KWin): a window can then say where
/// it is to be, and that it takes no keyboard.
///
/// It is loaded and not linked: who uses X11 needs none, and compositors without the protocol make none of it.
@DesktopActor struct LayerShell {
    private typealias OfWindow = @convention(c) (UnsafeMutableRawPointer?) -> Void
    private typealias OfValue = @convention(c) (UnsafeMutableRawPointer?, CInt) -> Void
    private typealias OfEdge = @convention(c) (UnsafeMutableRawPointer?, CInt, CInt) -> Void
    private typealias OfName = @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> Void

    /// As the library's header numbers them.
    private static let overlay: CInt = 3
    private static let topEdge: CInt = 2
    private static let noKeyboard: CInt = 0
    private static let allOfKeyboard: CInt = 1
    /// How far from the edge the panel stands, in pixels.
    private static let margin: CInt = 48

    private let initialize: OfWindow
    private let setLayer: OfValue
    private let setKeyboard: OfValue
    private let setAnchor: OfEdge
    private let setMargin: OfEdge
    private let setName: OfName

    /// The library; `nil` where it or the compositor's part is missing. Asked once, when there is a display.
    static let shared: LayerShell? = DesktopLoop.isX11 ? nil : LayerShell()

    private init?() {
        guard let library = dlopen("libgtk-layer-shell.so.0", RTLD_NOW | RTLD_LOCAL) else { return nil }
        func function<Kind>(_ name: String, as kind: Kind.Type) -> Kind? {
            dlsym(library, name).map { unsafeBitCast($0, to: kind) }
        }
        guard
            let isSupported = function("gtk_layer_is_supported", as: (@convention(c) () -> gboolean).self),
            isSupported() != 0, let initialize = function("gtk_layer_init_for_window", as: OfWindow.self),
            let setLayer = function("gtk_layer_set_layer", as: OfValue.self),
            let setKeyboard = function("gtk_layer_set_keyboard_mode", as: OfValue.self),
            let setAnchor = function("gtk_layer_set_anchor", as: OfEdge.self),
            let setMargin = function("gtk_layer_set_margin", as: OfEdge.self),
            let setName = function("gtk_layer_set_namespace", as: OfName.self)
        else { return nil }
        self.initialize = initialize
        self.setLayer = setLayer
        self.setKeyboard = setKeyboard
        self.setAnchor = setAnchor
        self.setMargin = setMargin
        self.setName = setName
    }

    /// Puts a window that is not shown yet over the others, in the middle of the upper edge: no program is told where another one's
    /// window is.
    func place(_ window: Widget, takesKeyboard: Bool) {
        initialize(window)
        setName(window, "latchkey")
        setLayer(window, Self.overlay)
        setAnchor(window, Self.topEdge, 1)
        setMargin(window, Self.topEdge, Self.margin)
        // All of it and not on demand, which would wait for a press of the pointer.
        setKeyboard(window, takesKeyboard ? Self.allOfKeyboard : Self.noKeyboard)
    }
}
