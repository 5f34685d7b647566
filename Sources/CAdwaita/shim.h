// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What Swift cannot call of GTK 4 and libadwaita: macros and functions with variable arguments.
#include <adwaita.h>
#include <sys/stat.h>

/// The name by which a screen reader tells of a widget.
static inline void latchkey_set_accessible_name(GtkWidget *widget, const char *name) {
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

/// What a screen reader says after the name.
static inline void latchkey_set_accessible_description(GtkWidget *widget, const char *text) {
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}

/// Takes a widget, with all that is in it, off the accessibility bus, or puts it there again.
static inline void latchkey_set_hidden_from_screen_reader(GtkWidget *widget, gboolean is_hidden) {
    gtk_accessible_update_state(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_STATE_HIDDEN, is_hidden, -1);
}

/// The same for one that says nothing of its own, such as a letter tile.
static inline void latchkey_hide_from_screen_reader(GtkWidget *widget) {
    latchkey_set_hidden_from_screen_reader(widget, TRUE);
}

/// Draws a page of `latchkey_print`.
static inline void latchkey_draw_page(GtkPrintOperation *operation, GtkPrintContext *context, int number, gpointer text) {
    (void)operation, (void)number;
    PangoLayout *layout = gtk_print_context_create_pango_layout(context);
    PangoFontDescription *font = pango_font_description_from_string("Monospace 14");
    pango_layout_set_font_description(layout, font);
    pango_font_description_free(font);
    pango_layout_set_width(layout, (int)(gtk_print_context_get_width(context) * PANGO_SCALE));
    pango_layout_set_text(layout, text, -1);
    pango_cairo_show_layout(gtk_print_context_get_cairo_context(context), layout);
    g_object_unref(layout);
}

/// Prints a text on one page, after the user has chosen a printer. Returns 1 if it was printed, 0 if the user wants none, -1 on failure.
static inline int latchkey_print(GtkWindow *parent, const char *name, const char *text) {
    GtkPrintOperation *operation = gtk_print_operation_new();
    gtk_print_operation_set_job_name(operation, name);
    gtk_print_operation_set_n_pages(operation, 1);
    g_signal_connect(operation, "draw-page", G_CALLBACK(latchkey_draw_page), (gpointer)text);
    // Some of what stands in for a printer is a file.
    mode_t before = umask(077);
    GtkPrintOperationResult result = gtk_print_operation_run(operation, GTK_PRINT_OPERATION_ACTION_PRINT_DIALOG, parent, NULL);
    umask(before);
    g_object_unref(operation);
    return result == GTK_PRINT_OPERATION_RESULT_APPLY ? 1 : result == GTK_PRINT_OPERATION_RESULT_ERROR ? -1 : 0;
}

static inline const char *latchkey_type_name(GtkWidget *widget) { return G_OBJECT_TYPE_NAME(widget); }

/// A widget of a type that is made with a role of its own.
static inline GtkWidget *latchkey_drawing_area(void) {
    return GTK_WIDGET(g_object_new(GTK_TYPE_DRAWING_AREA, "accessible-role", GTK_ACCESSIBLE_ROLE_IMG, NULL));
}

/// A field for a secret: what is typed stands in locked memory that is wiped, and only dots are drawn.
///
/// It is the bare text widget in the frame of an entry. GTK 4.8 puts the contents of whatever wraps such a widget (GtkEntry,
/// GtkPasswordEntry, AdwPasswordEntryRow) on the accessibility bus, dots or not.
static inline GtkWidget *latchkey_secret_text(const char *name) {
    GtkEntryBuffer *buffer = gtk_password_entry_buffer_new();
    GtkWidget *text = GTK_WIDGET(g_object_new(GTK_TYPE_TEXT, "accessible-role", GTK_ACCESSIBLE_ROLE_TEXT_BOX, "buffer", buffer,
        "visibility", FALSE, "input-purpose", GTK_INPUT_PURPOSE_PASSWORD, "input-hints",
        GTK_INPUT_HINT_NO_SPELLCHECK | GTK_INPUT_HINT_PRIVATE, "hexpand", TRUE, NULL));
    g_object_unref(buffer);
    latchkey_set_accessible_name(text, name);
    return text;
}

/// The frame that makes a text widget look like an entry.
static inline GtkWidget *latchkey_entry_frame(void) {
    return GTK_WIDGET(g_object_new(GTK_TYPE_BOX, "css-name", "entry", NULL));
}

/// A box that a screen reader tells of as a group with a name.
static inline GtkWidget *latchkey_group_box(GtkOrientation orientation, int spacing) {
    return GTK_WIDGET(g_object_new(GTK_TYPE_BOX, "accessible-role", GTK_ACCESSIBLE_ROLE_GROUP, "orientation",
        orientation, "spacing", spacing, NULL));
}

static inline GtkWidget *latchkey_message_dialog(GtkWindow *parent, const char *heading, const char *body) {
    GtkWidget *dialog = adw_message_dialog_new(parent, heading, NULL);
    // Never markup: names of others stand in it.
    adw_message_dialog_set_body(ADW_MESSAGE_DIALOG(dialog), body);
    return dialog;
}

/// An application. One that is unique has a name on the session bus, by which a second start finds it.
static inline GtkApplication *latchkey_application(const char *identifier, gboolean is_unique) {
    GApplicationFlags flags = is_unique ? G_APPLICATION_FLAGS_NONE : G_APPLICATION_NON_UNIQUE;
    return GTK_APPLICATION(adw_application_new(identifier, flags));
}

/// An action with a text, which a second start has the first one carry out.
static inline void *latchkey_add_action(GtkApplication *application, const char *name) {
    GSimpleAction *action = g_simple_action_new(name, G_VARIANT_TYPE_STRING);
    g_action_map_add_action(G_ACTION_MAP(application), G_ACTION(action));
    g_object_unref(action);
    return action;
}

/// Asks the instance that runs already to carry out an action. Returns whether there is one.
static inline gboolean latchkey_tell_running(GtkApplication *application, const char *name, const char *text) {
    GApplication *own = G_APPLICATION(application);
    if (!g_application_register(own, NULL, NULL) || !g_application_get_is_remote(own)) return FALSE;
    g_action_group_activate_action(G_ACTION_GROUP(own), name, g_variant_new_string(text));
    g_dbus_connection_flush_sync(g_application_get_dbus_connection(own), NULL, NULL);
    return TRUE;
}

static inline int latchkey_run(GtkApplication *application) {
    return g_application_run(G_APPLICATION(application), 0, NULL);
}

static inline gboolean latchkey_is_a11y_high_contrast(void) {
    return adw_style_manager_get_high_contrast(adw_style_manager_get_default());
}

/// Waits until no process owns a name on the session bus, for two seconds at most.
static inline void latchkey_wait_for_name(const char *name) {
    GDBusConnection *bus = g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, NULL);
    gboolean is_owned = bus != NULL;
    for (int turn = 0; is_owned && turn < 100; turn++) {
        GVariant *answer = g_dbus_connection_call_sync(bus, "org.freedesktop.DBus", "/org/freedesktop/DBus",
            "org.freedesktop.DBus", "NameHasOwner", g_variant_new("(s)", name), NULL, G_DBUS_CALL_FLAGS_NONE, 1000, NULL, NULL);
        if (!answer) break;
        g_variant_get(answer, "(b)", &is_owned);
        g_variant_unref(answer);
        if (is_owned) g_usleep(20000);
    }
    g_clear_object(&bus);
}

/// One entry of a result of the desktop's search: `a{sv}`.
static inline GVariant *latchkey_search_entry(const char *id, const char *name, const char *description) {
    GVariantDict dict;
    g_variant_dict_init(&dict, NULL);
    g_variant_dict_insert(&dict, "id", "s", id);
    g_variant_dict_insert(&dict, "name", "s", name);
    g_variant_dict_insert(&dict, "description", "s", description);
    return g_variant_dict_end(&dict);
}
