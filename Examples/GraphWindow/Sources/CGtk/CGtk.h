// Licensed under the MIT License. See LICENSE.
// GTK 4 and libadwaita, with what Swift cannot see of their headers: macros with arguments, and functions with `...`.
#pragma once


#include <adwaita.h>
#include <gdk/wayland/gdkwayland.h>
#include <gdk/x11/gdkx.h>
#include <glib-unix.h>

// The casts are macros in GTK. Here they are functions of the same name, which check the type as the macros do.
#undef GTK_APPLICATION
#undef GTK_BOX
#undef GTK_BUTTON
#undef GTK_CHECK_BUTTON
#undef GTK_LABEL
#undef GTK_MENU_BUTTON
#undef GTK_POPOVER
#undef GTK_SCROLLED_WINDOW
#undef GTK_SPINNER
#undef GTK_TEXT_VIEW
#undef GTK_WINDOW
#undef G_APPLICATION
static inline GtkApplication *GTK_APPLICATION(gpointer it) {
    return G_TYPE_CHECK_INSTANCE_CAST(it, GTK_TYPE_APPLICATION, GtkApplication);
}
static inline GtkBox *GTK_BOX(gpointer it) { return G_TYPE_CHECK_INSTANCE_CAST(it, GTK_TYPE_BOX, GtkBox); }
static inline GtkButton *GTK_BUTTON(gpointer it) { return G_TYPE_CHECK_INSTANCE_CAST(it, GTK_TYPE_BUTTON, GtkButton); }
static inline GtkCheckButton *GTK_CHECK_BUTTON(gpointer it) {
    return G_TYPE_CHECK_INSTANCE_CAST(it, GTK_TYPE_CHECK_BUTTON, GtkCheckButton);
}
static inline GtkLabel *GTK_LABEL(gpointer it) { return G_TYPE_CHECK_INSTANCE_CAST(it, GTK_TYPE_LABEL, GtkLabel); }
static inline GtkMenuButton *GTK_MENU_BUTTON(gpointer it) {
    return G_TYPE_CHECK_INSTANCE_CAST(it, GTK_TYPE_MENU_BUTTON, GtkMenuButton);
}
static inline GtkPopover *GTK_POPOVER(gpointer it) { return G_TYPE_CHECK_INSTANCE_CAST(it, GTK_TYPE_POPOVER, GtkPopover); }
static inline GtkScrolledWindow *GTK_SCROLLED_WINDOW(gpointer it) {
    return G_TYPE_CHECK_INSTANCE_CAST(it, GTK_TYPE_SCROLLED_WINDOW, GtkScrolledWindow);
}
static inline GtkSpinner *GTK_SPINNER(gpointer it) { return G_TYPE_CHECK_INSTANCE_CAST(it, GTK_TYPE_SPINNER, GtkSpinner); }
static inline GtkTextView *GTK_TEXT_VIEW(gpointer it) {
    return G_TYPE_CHECK_INSTANCE_CAST(it, GTK_TYPE_TEXT_VIEW, GtkTextView);
}
static inline GtkWindow *GTK_WINDOW(gpointer it) { return G_TYPE_CHECK_INSTANCE_CAST(it, GTK_TYPE_WINDOW, GtkWindow); }
static inline GApplication *G_APPLICATION(gpointer it) {
    return G_TYPE_CHECK_INSTANCE_CAST(it, G_TYPE_APPLICATION, GApplication);
}

// g_signal_connect is a macro, and handlers have as many arguments as their signal. Swapped, the data come first.
static inline void connect_swapped(
    gpointer instance, const char *signal, void (*handler)(gpointer data), gpointer data, void (*destroy)(gpointer data)) {
    g_signal_connect_data(
        instance, signal, G_CALLBACK(handler), data, (GClosureNotify)(void *)destroy, G_CONNECT_SWAPPED);
}

// The name that a screen reader says. The function for it ends with `...`.
static inline void set_accessible_name(GtkWidget *widget, const char *name) {
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

// The number by which the X server knows a surface; 0 under Wayland, which has no such numbers.
static inline unsigned long x11_window(GdkSurface *surface) {
    return GDK_IS_X11_SURFACE(surface) ? gdk_x11_surface_get_xid(surface) : 0;
}

// Asks the Wayland compositor for a text by which another program may name a surface; false under X11.
static inline gboolean export_wayland_window(
    GdkSurface *surface, void (*use)(GdkToplevel *surface, const char *handle, gpointer data), gpointer data,
    void (*destroy)(gpointer data)) {
    return GDK_IS_WAYLAND_TOPLEVEL(surface)
        && gdk_wayland_toplevel_export_handle(GDK_TOPLEVEL(surface), use, data, destroy);
}
