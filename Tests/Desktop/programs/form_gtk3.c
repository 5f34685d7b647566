// SPDX-FileCopyrightText: 2026 The Latchkey authors
// SPDX-License-Identifier: Apache-2.0
//
// A sign-in form of a native program, which writes what stands in its fields to a file after each change.
// Commands come on standard input, one word a line; each is answered by "done".
#include <gtk/gtk.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static GtkWidget *window, *grid, *user, *password, *other, *again;
static const char *target;

static gboolean crashes;

static void changed(GtkEditable *field, gpointer data) {
    (void)data;
    if (crashes && field) _exit(1);
    char *name = g_strconcat(target, ".new", NULL);
    FILE *file = fopen(name, "w");
    fprintf(file, "%s\n%s\n%s\n%s\n", gtk_entry_get_text(GTK_ENTRY(user)), gtk_entry_get_text(GTK_ENTRY(password)),
        gtk_entry_get_text(GTK_ENTRY(other)), again ? gtk_entry_get_text(GTK_ENTRY(again)) : "");
    // Where the name's field is, in pixels of the display.
    if (gtk_widget_get_window(user)) {
        int x, y, scale = gtk_widget_get_scale_factor(user);
        GtkAllocation place;
        gtk_widget_get_allocation(user, &place);
        gdk_window_get_origin(gtk_widget_get_window(user), &x, &y);
        fprintf(file, "%d %d %d %d\n", (x + place.x) * scale, (y + place.y) * scale, place.width * scale, place.height * scale);
    }
    fclose(file);
    rename(name, target);
    g_free(name);
}

static gboolean told(GIOChannel *channel, GIOCondition condition, gpointer data) {
    (void)data;
    if (condition & G_IO_HUP) {
        gtk_main_quit();
        return FALSE;
    }
    char *line = NULL;
    if (g_io_channel_read_line(channel, &line, NULL, NULL, NULL) != G_IO_STATUS_NORMAL) return TRUE;
    g_strstrip(line);
    if (!strcmp(line, "where")) changed(NULL, NULL);
    else if (!strcmp(line, "clear")) gtk_entry_set_text(GTK_ENTRY(user), ""), gtk_entry_set_text(GTK_ENTRY(password), "");
    else if (!strncmp(line, "at ", 3)) {
        int x, y;
        if (sscanf(line, "at %d %d", &x, &y) == 2) gtk_window_move(GTK_WINDOW(window), x, y);
    } else if (!strcmp(line, "plain")) gtk_entry_set_visibility(GTK_ENTRY(password), TRUE);
    else if (!strcmp(line, "readonly")) gtk_editable_set_editable(GTK_EDITABLE(password), FALSE);
    else if (!strcmp(line, "hide")) gtk_widget_hide(password);
    else if (!strcmp(line, "insensitive")) gtk_widget_set_sensitive(password, FALSE);
    else if (!strcmp(line, "remove")) gtk_widget_destroy(password), password = gtk_entry_new();
    else if (!strcmp(line, "swap")) {
        gtk_label_set_text(GTK_LABEL(gtk_grid_get_child_at(GTK_GRID(grid), 0, 0)), "Search");
        gtk_label_set_text(GTK_LABEL(gtk_grid_get_child_at(GTK_GRID(grid), 0, 1)), "New password");
    } else if (!strcmp(line, "move")) {
        GtkWidget *next = gtk_window_new(GTK_WINDOW_TOPLEVEL), *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4);
        gtk_window_set_title(GTK_WINDOW(next), "Another window");
        gtk_container_add(GTK_CONTAINER(next), box);
        g_object_ref(password);
        gtk_container_remove(GTK_CONTAINER(grid), password);
        gtk_box_pack_start(GTK_BOX(box), password, FALSE, FALSE, 0);
        gtk_widget_show_all(next);
    } else if (!strcmp(line, "close")) gtk_widget_destroy(window);
    else if (!strcmp(line, "focus-user")) gtk_widget_grab_focus(user);
    else if (!strcmp(line, "focus-password")) gtk_widget_grab_focus(password);
    else if (!strcmp(line, "focus-other")) gtk_widget_grab_focus(other);
    printf("done\n");
    fflush(stdout);
    g_free(line);
    return TRUE;
}

static GtkWidget *add(const char *text, int row) {
    GtkWidget *label = gtk_label_new(text), *field = gtk_entry_new();
    gtk_grid_attach(GTK_GRID(grid), label, 0, row, 1, 1);
    gtk_grid_attach(GTK_GRID(grid), field, 1, row, 1, 1);
    g_signal_connect(field, "changed", G_CALLBACK(changed), NULL);
    return field;
}

int main(int count, char **arguments) {
    gtk_init(&count, &arguments);
    target = arguments[1];
    const char *kind = count > 2 ? arguments[2] : "";
    window = gtk_window_new(GTK_WINDOW_TOPLEVEL);
    gtk_window_set_title(GTK_WINDOW(window), "Example server");
    gtk_container_set_border_width(GTK_CONTAINER(window), 20);
    grid = gtk_grid_new();
    gtk_container_add(GTK_CONTAINER(window), grid);
    gboolean isSearch = !strcmp(kind, "search");
    user = add(isSearch ? "Find" : "User name", 0);
    gboolean isCode = !strcmp(kind, "code");
    password = add(isSearch ? "Replace" : isCode ? "Verification code" : !strcmp(kind, "new") ? "New password" : "Password", 1);
    if (isCode) gtk_widget_set_no_show_all(user, TRUE);
    if (!isSearch && !isCode) gtk_entry_set_visibility(GTK_ENTRY(password), FALSE);
    if (!strcmp(kind, "new")) {
        again = add("Repeat new password", 3);
        gtk_entry_set_visibility(GTK_ENTRY(again), FALSE);
    }
    other = add(!strcmp(kind, "server") || !strcmp(kind, "new") ? "Server" : "Port", 2);
    if (count > 3) gtk_entry_set_text(GTK_ENTRY(other), arguments[3]);
    if (count > 4) gtk_entry_set_text(GTK_ENTRY(user), arguments[4]);
    crashes = !strcmp(kind, "crash");
    // As the part of a window is called in which a program shows a page or a mail.
    if (!strcmp(kind, "document")) atk_object_set_role(gtk_widget_get_accessible(grid), ATK_ROLE_DOCUMENT_WEB);
    for (int row = 10; !strcmp(kind, "many") && row < 3000; row++)
        gtk_grid_attach(GTK_GRID(grid), gtk_label_new("Label"), row % 50 + 2, row / 50, 1, 1);
    gtk_grid_attach(GTK_GRID(grid), gtk_button_new_with_label(isSearch ? "Replace All" : "Connect"), 1, 4, 1, 1);
    g_signal_connect(window, "destroy", G_CALLBACK(gtk_main_quit), NULL);
    gtk_window_move(GTK_WINDOW(window), 100, 80);
    gtk_widget_show_all(window);
    gtk_widget_grab_focus(isCode || !strcmp(kind, "new") ? password : user);
    g_io_add_watch(g_io_channel_unix_new(0), G_IO_IN | G_IO_HUP, told, NULL);
    changed(NULL, NULL);
    gtk_main();
    return 0;
}
