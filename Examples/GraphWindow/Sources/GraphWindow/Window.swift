// Licensed under the MIT License. See LICENSE.

import CGtk
import MSAL

/// GTK creates every requested widget. Its functions accept and return optional pointers, like those of C.
typealias Widget = UnsafeMutablePointer<GtkWidget>?

/// The widgets that the user sees and presses. It does not handle tokens.
@MainActor
final class Window {
    // The actions of the controls.
    var callGraph: @MainActor () async -> Void = {}
    var signIn: @MainActor () async -> Void = {}
    var signOut: @MainActor () async -> Void = {}
    var getDeviceMode: @MainActor () async -> Void = {}
    var cameToForeground: @MainActor () async -> Void = {}
    var choose: (MSALAccount) -> Void = { _ in }
    var cancel: () -> Void = {}

    /// The window's handle for the desktop portal.
    let parent = ParentWindow()

    private let window: Widget
    private let toasts = adw_toast_overlay_new()
    private let avatar = adw_avatar_new(72, nil, 1)
    private let name = gtk_label_new(nil)
    private let detail = gtk_label_new(nil)
    private let callGraphButton = gtk_button_new_with_label("Call Microsoft Graph API")
    private let signInButton = gtk_button_new_with_label("Sign In")
    private let signOutButton = gtk_button_new_with_label("Sign Out")
    private let browserCheck = gtk_check_button_new_with_label("Sign out of the browser, too")
    private let deviceModeButton = gtk_button_new_with_label("Get device info")
    private let waiting = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12)
    private let spinner = gtk_spinner_new()
    private let loggingText = gtk_text_view_new()
    private let accountsButton = gtk_menu_button_new()
    private let accountsAvatar = adw_avatar_new(24, nil, 1)
    private let picker = gtk_popover_new()
    /// The photos, by the identifier of the account.
    private var photos: [String: Picture] = [:]
    private var accounts: [MSALAccount] = []
    private var account: MSALAccount?
    /// The operations that are waiting for the browser. Another sign-in may begin in the picker before the first has ended.
    private var waitingOperations = 0
    /// The error that is shown.
    private var toast: OpaquePointer?

    init(of application: UnsafeMutablePointer<AdwApplication>) {
        window = adw_application_window_new(GTK_APPLICATION(application))
        initUI()
        on(callGraphButton, "clicked") { [self] in perform(callGraph) }
        on(signInButton, "clicked") { [self] in perform(signIn) }
        on(signOutButton, "clicked") { [self] in perform(signOut) }
        on(deviceModeButton, "clicked") { [self] in perform(getDeviceMode) }
        on(window, "notify::is-active") { [self] in
            if gtk_window_is_active(GTK_WINDOW(window)) != 0 { perform(cameToForeground) }
        }
        on(window, "map") { [self] in parent.export(window) }
        // A sign-in that is waiting for the browser ends with the window.
        on(window, "destroy") { [self] in cancel() }
    }

    /// Whether the user wants to end the browser's session together with the app's.
    var signsOutOfBrowser: Bool { gtk_check_button_get_active(GTK_CHECK_BUTTON(browserCheck)) != 0 }

    /// Shows the window, or brings it to the front.
    func present() {
        gtk_window_present(GTK_WINDOW(window))
    }

    /// Starts a control's action. The window stays responsive meanwhile.
    func perform(_ work: @escaping @MainActor () async -> Void) {
        // The window owns this task, which ends with a text or an error in the window.
        Task { await work() }
    }

    // MARK: The controls

    private func initUI() {
        gtk_window_set_title(GTK_WINDOW(window), "Graph Window")
        gtk_window_set_icon_name(GTK_WINDOW(window), applicationID)
        gtk_window_set_default_size(GTK_WINDOW(window), 460, 640)
        gtk_widget_set_size_request(window, 360, 480)

        adw_avatar_set_show_initials(ADW_AVATAR(accountsAvatar), 1)
        gtk_menu_button_set_child(GTK_MENU_BUTTON(accountsButton), accountsAvatar)
        gtk_menu_button_set_popover(GTK_MENU_BUTTON(accountsButton), picker)
        gtk_widget_set_tooltip_text(accountsButton, "Accounts")
        set_accessible_name(accountsButton, "Accounts")
        let header = adw_header_bar_new()
        adw_header_bar_pack_end(ADW_HEADER_BAR(header), accountsButton)

        let content = column(spacing: 12)
        gtk_widget_set_margin_top(content, 12)
        for (widget, style) in [(name, "title-2"), (detail, "dim-label")] {
            gtk_widget_add_css_class(widget, style)
            gtk_label_set_ellipsize(GTK_LABEL(widget), PANGO_ELLIPSIZE_MIDDLE)
        }
        let person = column(avatar, name, detail, spacing: 6)
        let buttons = column(
            callGraphButton,
            signInButton,
            signOutButton,
            browserCheck,
            deviceModeButton,
            spacing: 8
        )
        gtk_widget_set_halign(browserCheck, GTK_ALIGN_CENTER)
        gtk_widget_add_css_class(callGraphButton, "suggested-action")
        gtk_widget_set_halign(buttons, GTK_ALIGN_CENTER)
        gtk_widget_set_size_request(buttons, 280, -1)
        let log = initLog()
        for widget in [person, buttons, initWaiting(), log] { gtk_box_append(GTK_BOX(content), widget) }

        let clamp = adw_clamp_new()
        adw_clamp_set_maximum_size(ADW_CLAMP(clamp), 640)
        adw_clamp_set_child(ADW_CLAMP(clamp), content)
        margins(of: clamp, 12)
        adw_toast_overlay_set_child(ADW_TOAST_OVERLAY(toasts), clamp)
        gtk_widget_set_vexpand(toasts, 1)
        adw_application_window_set_content(ADW_APPLICATION_WINDOW(window), column(header, toasts, spacing: 0))
    }

    private func initWaiting() -> Widget {
        let text = gtk_label_new("Continue in your browser")
        gtk_widget_set_hexpand(text, 1)
        gtk_label_set_xalign(GTK_LABEL(text), 0)
        let cancelButton = gtk_button_new_with_label("Cancel")
        on(cancelButton, "clicked") { [self] in cancel() }
        for widget in [spinner, text, cancelButton] {
            gtk_widget_set_margin_top(widget, 12)
            gtk_widget_set_margin_bottom(widget, 12)
            gtk_box_append(GTK_BOX(waiting), widget)
        }
        gtk_widget_set_margin_start(spinner, 12)
        gtk_widget_set_margin_end(cancelButton, 12)
        gtk_widget_add_css_class(waiting, "card")
        gtk_widget_set_visible(waiting, 0)
        return waiting
    }

    private func initLog() -> Widget {
        let view = GTK_TEXT_VIEW(loggingText)
        gtk_text_view_set_editable(view, 0)
        gtk_text_view_set_cursor_visible(view, 0)
        gtk_text_view_set_monospace(view, 1)
        gtk_text_view_set_wrap_mode(view, GTK_WRAP_WORD_CHAR)
        gtk_text_view_set_left_margin(view, 12)
        gtk_text_view_set_right_margin(view, 12)
        gtk_text_view_set_top_margin(view, 12)
        gtk_text_view_set_bottom_margin(view, 12)
        set_accessible_name(loggingText, "Log")
        let scrolled = gtk_scrolled_window_new()
        gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), loggingText)
        gtk_widget_set_vexpand(scrolled, 1)
        gtk_widget_set_overflow(scrolled, GTK_OVERFLOW_HIDDEN)
        gtk_widget_add_css_class(scrolled, "card")
        return scrolled
    }

    // MARK: Output

    /// Adds a text to the log.
    func updateLogging(text: String) {
        let view = GTK_TEXT_VIEW(loggingText)
        let buffer = gtk_text_view_get_buffer(view)
        var end = GtkTextIter()
        gtk_text_buffer_get_end_iter(buffer, &end)
        gtk_text_buffer_insert(buffer, &end, text + "\n", -1)
        gtk_text_buffer_place_cursor(buffer, &end)
        gtk_text_view_scroll_mark_onscreen(view, gtk_text_buffer_get_insert(buffer))
    }

    /// Shows that the browser has a sign-in, with a button that cancels it, until the last one has ended.
    func updateWaiting(_ begins: Bool) {
        waitingOperations += begins ? 1 : -1
        let isWaiting = waitingOperations > 0
        gtk_widget_set_visible(waiting, isWaiting ? 1 : 0)
        gtk_spinner_set_spinning(GTK_SPINNER(spinner), isWaiting ? 1 : 0)
        for button in [callGraphButton, signInButton] { gtk_widget_set_sensitive(button, isWaiting ? 0 : 1) }
        gtk_widget_set_sensitive(signOutButton, isWaiting || account == nil ? 0 : 1)
    }

    /// Shows an error instead of the previous one: a title, and a button for the details. `unlock` unlocks a locked keyring.
    func show(_ error: any Error, title: String, unlock: (@MainActor () async -> Void)?) {
        let error = error as NSError
        updateLogging(text: "\(title): \(error.reason)")
        let toast = adw_toast_new(title)
        adw_toast_set_button_label(toast, unlock == nil ? "Details" : "Unlock")
        adw_toast_set_timeout(toast, 0)
        on(UnsafeMutableRawPointer(toast), "button-clicked") { [self] in
            if let unlock { return perform(unlock) }
            showDetails(of: error, title: title)
        }
        if let previous = self.toast {
            adw_toast_dismiss(previous)
            g_object_unref(UnsafeMutableRawPointer(previous))
        }
        // The overlay takes the first reference. This one keeps the toast until the next one replaces it.
        g_object_ref(UnsafeMutableRawPointer(toast))
        self.toast = toast
        adw_toast_overlay_add_toast(ADW_TOAST_OVERLAY(toasts), toast)
    }

    private func showDetails(of error: NSError, title: String) {
        var lines = [error.reason, "\(error.domain) \(error.code)"]
        if let id = error.userInfo[MSALCorrelationIDKey] { lines.append("Correlation ID: \(id)") }
        let dialog = adw_message_dialog_new(GTK_WINDOW(window), title, lines.joined(separator: "\n\n"))
        adw_message_dialog_add_response(ADW_MESSAGE_DIALOG(dialog), "ok", "OK")
        gtk_window_present(GTK_WINDOW(dialog))
    }

    /// Shows the account to which the buttons apply.
    func updateAccount(_ account: MSALAccount?) {
        self.account = account
        gtk_label_set_text(GTK_LABEL(name), account?.name ?? "Signed out")
        gtk_label_set_text(GTK_LABEL(detail), account?.username ?? "Sign in to call Microsoft Graph")
        for avatar in [avatar, accountsAvatar] {
            adw_avatar_set_text(ADW_AVATAR(avatar), account?.name ?? "")
            adw_avatar_set_show_initials(ADW_AVATAR(avatar), account == nil ? 0 : 1)
            adw_avatar_set_custom_image(ADW_AVATAR(avatar), picture(of: account))
        }
        gtk_widget_set_sensitive(signOutButton, waitingOperations > 0 || account == nil ? 0 : 1)
    }

    /// Shows the photo of an account, wherever the account is shown. Anything but a picture is ignored.
    func show(_ photo: Data, of account: MSALAccount) {
        guard let id = account.identifier, let picture = Picture(photo) else { return }
        photos[id] = picture
        updateAccount(self.account)
        show(accounts)
    }

    private func picture(of account: MSALAccount?) -> OpaquePointer? {
        account?.identifier.flatMap { photos[$0] }?.paintable
    }

    /// Fills the picker.
    func show(_ accounts: [MSALAccount]) {
        self.accounts = accounts
        let list = column(spacing: 4)
        for account in accounts {
            let texts = column(
                line(account.name, style: "heading"),
                line(account.username ?? "", style: "caption"),
                line("Tenant \(account.homeAccountId?.tenantId ?? "unknown")", style: "caption"),
                spacing: 0
            )
            let avatar = adw_avatar_new(36, account.name, 1)
            adw_avatar_set_custom_image(ADW_AVATAR(avatar), picture(of: account))
            let spoken = [account.name, account.username].compactMap(\.self).joined(separator: ", ")
            gtk_box_append(GTK_BOX(list), pickerRow(avatar, texts, spoken: spoken) { [self] in choose(account) })
        }
        let plus = gtk_image_new_from_icon_name("list-add-symbolic")
        gtk_widget_set_size_request(plus, 36, 36)
        let another = pickerRow(plus, line("Another account", style: "heading"), spoken: "Another account") { [self] in
            perform(signIn)
        }
        gtk_box_append(GTK_BOX(list), another)
        gtk_popover_set_child(GTK_POPOVER(picker), list)
    }

    private func pickerRow(_ picture: Widget, _ texts: Widget, spoken: String, action: @escaping () -> Void) -> Widget {
        let row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12)
        gtk_box_append(GTK_BOX(row), picture)
        gtk_box_append(GTK_BOX(row), texts)
        gtk_widget_set_valign(texts, GTK_ALIGN_CENTER)
        let button = gtk_button_new()
        gtk_button_set_child(GTK_BUTTON(button), row)
        gtk_widget_add_css_class(button, "flat")
        set_accessible_name(button, spoken)
        on(button, "clicked") { [self] in
            gtk_popover_popdown(GTK_POPOVER(picker))
            action()
        }
        return button
    }

    private func line(_ text: String, style: String) -> Widget {
        let label = gtk_label_new(text)
        gtk_label_set_xalign(GTK_LABEL(label), 0)
        gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_MIDDLE)
        gtk_label_set_max_width_chars(GTK_LABEL(label), 28)
        gtk_widget_add_css_class(label, style)
        return label
    }

    private func column(_ widgets: Widget..., spacing: gint) -> Widget {
        let box = gtk_box_new(GTK_ORIENTATION_VERTICAL, spacing)
        for widget in widgets { gtk_box_append(GTK_BOX(box), widget) }
        return box
    }

    private func margins(of widget: Widget, _ points: gint) {
        gtk_widget_set_margin_top(widget, points)
        gtk_widget_set_margin_bottom(widget, points)
        gtk_widget_set_margin_start(widget, points)
        gtk_widget_set_margin_end(widget, points)
    }
}

/// A picture that GTK has decoded.
private final class Picture {
    let paintable: OpaquePointer

    /// `nil` for bytes that are not PNG, JPEG or TIFF.
    init?(_ data: Data) {
        let bytes = data.withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }
        defer { g_bytes_unref(bytes) }
        guard let texture = gdk_texture_new_from_bytes(bytes, nil) else { return nil }
        paintable = texture
    }

    deinit {
        g_object_unref(UnsafeMutableRawPointer(paintable))
    }
}
