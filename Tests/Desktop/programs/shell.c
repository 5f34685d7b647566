// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0

// Calls a search provider as GNOME Shell does, and prints the answer: shell [--nameless] METHOD ARGUMENTS

#include <gio/gio.h>
#include <stdio.h>
#include <string.h>

int main(int count, char **arguments) {
    GError *problem = NULL;
    GDBusConnection *bus = g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, &problem);
    if (!bus) return 69;
    int first = 1;
    if (count > 1 && strcmp(arguments[1], "--nameless") == 0) {
        first = 2;
    } else {
        GVariant *owned = g_dbus_connection_call_sync(bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
            "RequestName", g_variant_new("(su)", "org.gnome.Shell", 4u), NULL, 0, -1, NULL, NULL);
        guint32 is_owner = 0;
        if (owned) g_variant_get(owned, "(u)", &is_owner);
        if (is_owner != 1) return 75;
    }
    if (count != first + 2) return 64;
    GVariant *parameters = g_variant_parse(NULL, arguments[first + 1], NULL, NULL, &problem);
    if (!parameters) return 64;
    GVariant *answer = g_dbus_connection_call_sync(bus, "org.latchkey.Passwords.SearchProvider", "/org/latchkey/Passwords/SearchProvider",
        "org.gnome.Shell.SearchProvider2", arguments[first], parameters, NULL, 0, 15000, NULL, &problem);
    if (!answer) {
        fprintf(stderr, "%s\n", problem->message);
        return 1;
    }
    puts(g_variant_print(answer, FALSE));
    return 0;
}
