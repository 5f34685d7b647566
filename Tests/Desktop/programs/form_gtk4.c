// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0
//
// A sign-in form on GTK 4. It writes to a file, after each change and each command, what stands in its fields, and where they are in
// the window. Commands come on standard input, one word a line; each is answered by "done".
#include <gtk/gtk.h>
#include <stdio.h>
#include <string.h>

static GtkWidget *window, *grid, *user, *server, *password;
static const char *target;

static void write_place(FILE *file, GtkWidget *field) {
    graphene_rect_t place;
    double x = 0, y = 0;
    gtk_native_get_surface_transform(GTK_NATIVE(window), &x, &y);
    if (!gtk_widget_compute_bounds(field, window, &place)) graphene_rect_init(&place, 0, 0, 0, 0);
    fprintf(file, "%d %d %d %d\n", (int)(place.origin.x + x), (int)(place.origin.y + y), (int)place.size.width,
        (int)place.size.height);
}

static void changed(GtkEditable *field, gpointer data) {
    (void)field, (void)data;
    char *name = g_strconcat(target, ".new", NULL);
    FILE *file = fopen(name, "w");
    GtkWidget *fields[] = {user, password, server};
    for (int index = 0; index < 3; index++) fprintf(file, "%s\n", gtk_editable_get_text(GTK_EDITABLE(fields[index])));
    for (int index = 0; index < 3; index++) write_place(file, fields[index]);
    fclose(file);
    rename(name, target);
    g_free(name);
}

// As dialogs do: Return in the password closes the window.
static void entered(GtkWidget *field, gpointer kind) {
    (void)field;
    if (!strcmp(kind, "dialog")) gtk_window_close(GTK_WINDOW(window));
}

static gboolean told(GIOChannel *channel, GIOCondition condition, gpointer data) {
    if (condition & G_IO_HUP) {
        g_main_loop_quit(data);
        return FALSE;
    }
    char *line = NULL;
    if (g_io_channel_read_line(channel, &line, NULL, NULL, NULL) != G_IO_STATUS_NORMAL) return TRUE;
    g_strstrip(line);
    if (!strcmp(line, "focus-user")) gtk_widget_grab_focus(user);
    else if (!strcmp(line, "focus-password")) gtk_widget_grab_focus(password);
    else if (!strcmp(line, "focus-other")) gtk_widget_grab_focus(server);
    else if (!strcmp(line, "readonly")) gtk_editable_set_editable(GTK_EDITABLE(password), FALSE);
    else if (!strcmp(line, "hide")) gtk_widget_set_visible(password, FALSE);
    else if (!strcmp(line, "insensitive")) gtk_widget_set_sensitive(password, FALSE);
    else if (!strcmp(line, "swap")) {
        gtk_label_set_text(GTK_LABEL(gtk_grid_get_child_at(GTK_GRID(grid), 0, 0)), "Search");
        gtk_label_set_text(GTK_LABEL(gtk_grid_get_child_at(GTK_GRID(grid), 0, 2)), "New password");
    } else if (!strcmp(line, "close")) gtk_window_close(GTK_WINDOW(window));
    if (GTK_IS_WINDOW(window)) changed(NULL, NULL);
    printf("done\n");
    fflush(stdout);
    g_free(line);
    return TRUE;
}

static GtkWidget *add(const char *text, GtkWidget *field, int row) {
    gtk_grid_attach(GTK_GRID(grid), gtk_label_new(text), 0, row, 1, 1);
    gtk_grid_attach(GTK_GRID(grid), field, 1, row, 1, 1);
    g_signal_connect(field, "changed", G_CALLBACK(changed), NULL);
    return field;
}

int main(int count, char **arguments) {
    gtk_init();
    target = arguments[1];
    const char *kind = count > 2 ? arguments[2] : "";
    GMainLoop *loop = g_main_loop_new(NULL, FALSE);
    window = gtk_window_new();
    gtk_window_set_title(GTK_WINDOW(window), "Example server");
    // With a bar of its own in place of the window manager's, the window has a shadow that is part of it.
    if (!strcmp(kind, "headerbar")) gtk_window_set_titlebar(GTK_WINDOW(window), gtk_header_bar_new());
    grid = gtk_grid_new();
    gtk_window_set_child(GTK_WINDOW(window), grid);
    user = add("User name", gtk_entry_new(), 0);
    // Between the two that belong together: which they are can be seen by the labels only.
    server = add("Server", gtk_entry_new(), 1);
    gboolean isComposite = strcmp(kind, "entry");
    password = add("Password", isComposite ? gtk_password_entry_new() : gtk_entry_new(), 2);
    if (isComposite) gtk_password_entry_set_show_peek_icon(GTK_PASSWORD_ENTRY(password), TRUE);
    else gtk_entry_set_visibility(GTK_ENTRY(password), FALSE);
    if (!strcmp(kind, "saved")) gtk_editable_set_text(GTK_EDITABLE(password), "it stands there");
    g_signal_connect(password, "activate", G_CALLBACK(entered), (gpointer)kind);
    gtk_grid_attach(GTK_GRID(grid), gtk_button_new_with_label("Connect"), 1, 4, 1, 1);
    gtk_window_present(GTK_WINDOW(window));
    gtk_widget_grab_focus(user);
    g_io_add_watch(g_io_channel_unix_new(0), G_IO_IN | G_IO_HUP, told, loop);
    changed(NULL, NULL);
    g_main_loop_run(loop);
    return 0;
}
