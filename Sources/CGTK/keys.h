// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Pressing keys on an X11 display. What is looked at before a key is pressed holds until it is pressed: no other program can change the
// display in between.
#include <X11/XKBlib.h>
#include <X11/extensions/XTest.h>
#include <gdk/gdkx.h>

/// What came of pressing a key.
typedef enum {
    LATCHKEY_PRESSED,
    /// Another window is in front, or has the keyboard.
    LATCHKEY_NOT_IN_FRONT,
    /// A key is held down, or Caps Lock is on.
    LATCHKEY_HELD,
    /// No key has this symbol.
    LATCHKEY_NO_KEY,
    /// The display does not answer as it should.
    LATCHKEY_NO_DISPLAY,
} LatchkeyPress;

/// The window in front, or None.
static inline Window latchkey_active_window(Display *display) {
    Window window = None;
    Atom type;
    int format;
    unsigned long count, left;
    unsigned char *data = NULL;
    if (XGetWindowProperty(display, DefaultRootWindow(display), XInternAtom(display, "_NET_ACTIVE_WINDOW", False), 0, 1,
            False, AnyPropertyType, &type, &format, &count, &left, &data) == Success && data) {
        if (count == 1 && format == 32) window = *(Window *)data;
        XFree(data);
    }
    return window;
}

/// The process that a window names as its own; 0 if it names none.
static inline int latchkey_process_of_window(Display *display, Window window) {
    int process = 0;
    Atom type;
    int format;
    unsigned long count, left;
    unsigned char *data = NULL;
    if (XGetWindowProperty(display, window, XInternAtom(display, "_NET_WM_PID", False), 0, 1, False, AnyPropertyType,
            &type, &format, &count, &left, &data) == Success && data) {
        if (count == 1 && format == 32) process = (int)*(unsigned long *)data;
        XFree(data);
    }
    return process;
}

/// Whether the keyboard goes to a window or to a part of it.
static inline gboolean latchkey_has_keyboard(Display *display, Window window) {
    Window focus = None, root, parent, *children = NULL;
    int revert;
    unsigned int count;
    XGetInputFocus(display, &focus, &revert);
    for (int depth = 0; depth < 16 && focus != None && focus != (Window)PointerRoot; depth++) {
        if (focus == window) return TRUE;
        if (!XQueryTree(display, focus, &root, &parent, &children, &count)) return FALSE;
        if (children) XFree(children);
        if (parent == root) return FALSE;
        focus = parent;
    }
    return FALSE;
}

/// Whether a key is held down. Of the modifiers that are on, only Num Lock makes no difference to what is typed here.
static inline gboolean latchkey_is_held(Display *display, unsigned int *modifiers) {
    char keys[32];
    XQueryKeymap(display, keys);
    for (int index = 0; index < 32; index++)
        if (keys[index]) return TRUE;
    XkbStateRec state;
    if (XkbGetState(display, XkbUseCoreKbd, &state) != Success) return TRUE;
    *modifiers = XkbBuildCoreState(state.mods, state.group);
    return (state.mods & ~(unsigned int)Mod2Mask) != 0;
}

/// The key for a symbol as the keyboard is now, with Shift or without it. FALSE if there is none.
static inline gboolean latchkey_find_key(
    XkbDescPtr map, unsigned int modifiers, unsigned int symbol, KeyCode *code, gboolean *isShifted) {
    guint32 scalar = gdk_keyval_to_unicode(symbol);
    for (int shift = 0; shift < 2; shift++)
        for (int key = map->min_key_code; key <= map->max_key_code; key++) {
            unsigned int left;
            KeySym found = NoSymbol;
            if (!XkbTranslateKeyCode(map, (KeyCode)key, modifiers | (shift ? ShiftMask : 0), &left, &found)) continue;
            // Not the keys of the number pad, which mean something else without Num Lock.
            gboolean isPad = found >= 0xff80 && found <= 0xffbd;
            if (found != symbol && (isPad || !scalar || gdk_keyval_to_unicode((guint)found) != scalar)) continue;
            *code = (KeyCode)key;
            *isShifted = shift;
            return TRUE;
        }
    return FALSE;
}

static inline XkbDescPtr latchkey_keyboard(Display *display) {
    return XkbGetMap(
        display, XkbKeyTypesMask | XkbKeySymsMask | XkbModifierMapMask | XkbVirtualModsMask, XkbUseCoreKbd);
}

static inline KeyCode latchkey_key_with_shift(XkbDescPtr map) {
    for (int key = map->min_key_code; key <= map->max_key_code; key++)
        if (XkbKeyNumGroups(map, key) && XkbKeySymEntry(map, key, 0, 0) == XK_Shift_L) return (KeyCode)key;
    return 0;
}

/// The window in front, if it is a process's and has the keyboard; None otherwise.
static inline unsigned long latchkey_window_to_type_into(int process) {
    GdkDisplay *shown = gdk_display_get_default();
    int event, error, major, minor;
    if (!GDK_IS_X11_DISPLAY(shown)) return None;
    Display *display = GDK_DISPLAY_XDISPLAY(shown);
    if (!XTestQueryExtension(display, &event, &error, &major, &minor)) return None;
    gdk_x11_display_error_trap_push(shown);
    Window window = latchkey_active_window(display);
    if (window != None
        && (latchkey_process_of_window(display, window) != process || !latchkey_has_keyboard(display, window)))
        window = None;
    return gdk_x11_display_error_trap_pop(shown) == 0 ? window : None;
}

/// Presses the key for a symbol and lets it go, if the window is still in front, a process's, and has the keyboard.
static inline LatchkeyPress latchkey_press(unsigned int symbol, unsigned long window, int process) {
    GdkDisplay *shown = gdk_display_get_default();
    if (!GDK_IS_X11_DISPLAY(shown)) return LATCHKEY_NO_DISPLAY;
    Display *display = GDK_DISPLAY_XDISPLAY(shown);
    LatchkeyPress answer = LATCHKEY_NO_DISPLAY;
    unsigned int modifiers = 0;
    gdk_x11_display_error_trap_push(shown);
    XGrabServer(display);
    XkbDescPtr map = latchkey_keyboard(display);
    if (map) {
        KeyCode key, shift = latchkey_key_with_shift(map);
        gboolean isShifted = FALSE;
        if (latchkey_active_window(display) != window || latchkey_process_of_window(display, window) != process
            || !latchkey_has_keyboard(display, window))
            answer = LATCHKEY_NOT_IN_FRONT;
        // Who has grabbed the keyboard, as menus and launchers do, would get the key.
        else if (XGrabKeyboard(display, window, True, GrabModeAsync, GrabModeAsync, CurrentTime) != GrabSuccess)
            answer = LATCHKEY_NOT_IN_FRONT;
        else if (XUngrabKeyboard(display, CurrentTime), latchkey_is_held(display, &modifiers)) answer = LATCHKEY_HELD;
        else if (!latchkey_find_key(map, modifiers, symbol, &key, &isShifted) || (isShifted && !shift))
            answer = LATCHKEY_NO_KEY;
        else {
            if (isShifted) XTestFakeKeyEvent(display, shift, True, CurrentTime);
            XTestFakeKeyEvent(display, key, True, CurrentTime);
            XTestFakeKeyEvent(display, key, False, CurrentTime);
            if (isShifted) XTestFakeKeyEvent(display, shift, False, CurrentTime);
            answer = LATCHKEY_PRESSED;
        }
        XkbFreeKeyboard(map, 0, True);
    }
    XUngrabServer(display);
    XSync(display, False);
    return gdk_x11_display_error_trap_pop(shown) == 0 ? answer : LATCHKEY_NO_DISPLAY;
}

/// Whether a key or Caps Lock is held.
static inline gboolean latchkey_is_any_key_held(void) {
    GdkDisplay *shown = gdk_display_get_default();
    unsigned int modifiers;
    return !GDK_IS_X11_DISPLAY(shown) || latchkey_is_held(GDK_DISPLAY_XDISPLAY(shown), &modifiers);
}

/// Whether a key has this symbol. Otherwise an unused key gets it, if there is one: `spare` is its number then, and 0 otherwise.
static inline gboolean latchkey_provide_key(unsigned int symbol, unsigned char *spare) {
    GdkDisplay *shown = gdk_display_get_default();
    *spare = 0;
    if (!GDK_IS_X11_DISPLAY(shown)) return FALSE;
    Display *display = GDK_DISPLAY_XDISPLAY(shown);
    gboolean isThere = FALSE;
    gdk_x11_display_error_trap_push(shown);
    XkbDescPtr map = latchkey_keyboard(display);
    if (map) {
        KeyCode key;
        gboolean isShifted;
        XkbStateRec state;
        unsigned int modifiers = XkbGetState(display, XkbUseCoreKbd, &state) == Success
            ? XkbBuildCoreState(state.mods & Mod2Mask, state.group) : 0;
        isThere = latchkey_find_key(map, modifiers, symbol, &key, &isShifted);
        for (int free = map->max_key_code; !isThere && free >= map->min_key_code; free--) {
            if (XkbKeyNumGroups(map, free) || map->map->modmap[free]) continue;
            KeySym wanted = symbol;
            XChangeKeyboardMapping(display, free, 1, &wanted, 1);
            *spare = (unsigned char)free;
            isThere = TRUE;
        }
        XkbFreeKeyboard(map, 0, True);
    }
    return gdk_x11_display_error_trap_pop(shown) == 0 && isThere;
}

/// Takes a key's symbol back that `latchkey_provide_key` has given it.
static inline void latchkey_clear_key(unsigned char spare) {
    GdkDisplay *shown = gdk_display_get_default();
    if (!GDK_IS_X11_DISPLAY(shown) || !spare) return;
    KeySym none = NoSymbol;
    gdk_x11_display_error_trap_push(shown);
    XChangeKeyboardMapping(GDK_DISPLAY_XDISPLAY(shown), spare, 1, &none, 1);
    gdk_x11_display_error_trap_pop_ignored(shown);
}
