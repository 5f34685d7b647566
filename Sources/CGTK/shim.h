// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What Swift cannot call of GTK: macros and functions with variable arguments.
#include <X11/extensions/Xrandr.h>
#include <gdk/gdkx.h>
#include <gtk/gtk.h>

static inline gboolean latchkey_is_x11(void) { return GDK_IS_X11_DISPLAY(gdk_display_get_default()); }

/// Keeps the program off the accessibility bus, or puts it there, before GTK begins.
static inline void latchkey_on_accessibility_bus(gboolean isOn) {
    if (isOn) g_unsetenv("NO_AT_BRIDGE");
    else g_setenv("NO_AT_BRIDGE", "1", TRUE);
}

/// Where the inner part of the X11 window in front begins and how wide it is, in the root window's pixels. FALSE where that is not known.
static inline gboolean latchkey_front_window(int *x, int *y, int *width, int *process) {
    GdkDisplay *shown = gdk_display_get_default();
    if (!GDK_IS_X11_DISPLAY(shown)) return FALSE;
    Display *display = GDK_DISPLAY_XDISPLAY(shown);
    Window root = DefaultRootWindow(display), window = None, child;
    Atom type;
    int format;
    unsigned long count, left;
    unsigned char *data = NULL;
    gdk_x11_display_error_trap_push(shown);
    if (XGetWindowProperty(display, root, XInternAtom(display, "_NET_ACTIVE_WINDOW", False), 0, 1, False,
            AnyPropertyType, &type, &format, &count, &left, &data) == Success && data) {
        if (count == 1 && format == 32) window = *(Window *)data;
        XFree(data);
    }
    gboolean isKnown = window != None
        && XTranslateCoordinates(display, window, root, 0, 0, x, y, &child);
    Window parent;
    unsigned int breadth = 0, height, border, depth;
    int left_edge, top_edge;
    *width = isKnown && XGetGeometry(display, window, &parent, &left_edge, &top_edge, &breadth, &height, &border, &depth)
        ? (int)breadth : 0;
    data = NULL;
    *process = 0;
    if (isKnown && XGetWindowProperty(display, window, XInternAtom(display, "_NET_WM_PID", False), 0, 1, False,
            AnyPropertyType, &type, &format, &count, &left, &data) == Success && data) {
        if (count == 1 && format == 32) *process = (int)*(unsigned long *)data;
        XFree(data);
    }
    return gdk_x11_display_error_trap_pop(shown) == 0 && isKnown;
}

/// The monitor with a point of an X11 display, in the display's pixels. GDK leaves out those that are a part of another one's output.
static inline gboolean latchkey_monitor_at(int x, int y, GdkRectangle *place) {
    GdkDisplay *shown = gdk_display_get_default();
    if (!GDK_IS_X11_DISPLAY(shown)) return FALSE;
    Display *display = GDK_DISPLAY_XDISPLAY(shown);
    int event, error, major = 0, minor = 0, count = 0;
    if (!XRRQueryExtension(display, &event, &error) || !XRRQueryVersion(display, &major, &minor)
        || (major == 1 && minor < 5))
        return FALSE;
    gboolean isFound = FALSE;
    gdk_x11_display_error_trap_push(shown);
    XRRMonitorInfo *monitors = XRRGetMonitors(display, DefaultRootWindow(display), True, &count);
    for (int index = 0; monitors && index < count && !isFound; index++) {
        XRRMonitorInfo *one = &monitors[index];
        if (x < one->x || y < one->y || x >= one->x + one->width || y >= one->y + one->height) continue;
        *place = (GdkRectangle){one->x, one->y, one->width, one->height};
        isFound = TRUE;
    }
    if (monitors) XRRFreeMonitors(monitors);
    return gdk_x11_display_error_trap_pop(shown) == 0 && isFound;
}
