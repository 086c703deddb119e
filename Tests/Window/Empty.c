// Licensed under the MIT License. See LICENSE.
// A GTK program with an empty window, with which the example is compared.
#include <adwaita.h>

static void activate(GtkApplication *application) {
    GtkWidget *window = adw_application_window_new(application);
    gtk_window_set_title(GTK_WINDOW(window), "Graph Window");
    gtk_window_set_default_size(GTK_WINDOW(window), 460, 640);
    gtk_window_present(GTK_WINDOW(window));
}

int main(void) {
    AdwApplication *application = adw_application_new("com.contoso.empty", G_APPLICATION_DEFAULT_FLAGS);
    g_signal_connect(application, "activate", G_CALLBACK(activate), NULL);
    return g_application_run(G_APPLICATION(application), 0, NULL);
}
