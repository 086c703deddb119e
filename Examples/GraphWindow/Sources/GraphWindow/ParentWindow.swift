// Licensed under the MIT License. See LICENSE.

import CGtk
import MSAL
import Synchronization

/// The window's handle for other programs, so that the portal's dialogs appear in front of it.
final class ParentWindow: MSALPresentationParent {
    private let handle = Mutex("")

    /// Empty until the window is shown. A request may read it from any thread.
    var parentWindowHandle: String { handle.withLock(\.self) }

    /// Requests the handle of a visible window from the desktop. A Wayland compositor responds some time later, or never.
    @MainActor func export(_ window: Widget) {
        guard let surface = gtk_native_get_surface(GTK_NATIVE(window)) else { return }
        let number = x11_window(surface)
        if number != 0 { return handle.withLock { $0 = "x11:\(String(number, radix: 16))" } }
        _ = export_wayland_window(
            surface,
            { _, text, parent in
                guard let text, let parent else { return }
                let handle = String(cString: text)
                Unmanaged<ParentWindow>.fromOpaque(parent).takeUnretainedValue().handle.withLock {
                    $0 = "wayland:\(handle)"
                }
            },
            Unmanaged.passRetained(self).toOpaque(),
            { parent in
                guard let parent else { return }
                Unmanaged<ParentWindow>.fromOpaque(parent).release()
            }
        )
    }
}
