// Licensed under the MIT License. See LICENSE.

import CGtk
import MSAL

/// The name of the application, of its desktop entry, and of the scheme of its redirect URI.
let applicationID = "com.contoso.app"

@main struct Main {
    @MainActor static func main() {
        // The desktop starts another process of the app for the redirect, which passes the address to the waiting process.
        if let text = CommandLine.arguments.dropFirst().first {
            guard let url = URL(string: text), url.scheme == "msauth.\(applicationID)" else {
                stop("'\(text)' is not a redirect address, which is the only argument of GraphWindow.")
            }
            guard MSALPublicClientApplication.handleMSALResponse(url, sourceApplication: nil) else {
                stop("No sign-in waits for that address. Press Sign In in the window again.")
            }
            return
        }
        guard gtk_init_check() != 0 else {
            stop("There is no display. Start GraphWindow on a desktop, or set DISPLAY or WAYLAND_DISPLAY.")
        }
        exit(run())
    }

    /// Shows the window until the user closes it. A second start of the app brings the first one's window to the front, and
    /// exits.
    @MainActor static func run() -> CInt {
        let loop = MainLoop()
        defer { loop.stop() }
        guard let application = adw_application_new(applicationID, G_APPLICATION_DEFAULT_FLAGS) else { return 1 }
        defer { g_object_unref(application) }
        var controller: ViewController?
        on(application, "activate") {
            if let controller { return controller.window.present() }
            let window = Window(of: application)
            controller = ViewController(window: window)
            controller?.viewDidLoad()
        }
        return g_application_run(G_APPLICATION(application), 0, nil)
    }

    static func stop(_ sentence: String) -> Never {
        complain(sentence)
        exit(1)
    }
}

/// Calls a closure at each signal with this name. The closure lives as long as the object.
@MainActor
func on(_ object: UnsafeMutableRawPointer?, _ signal: String, call closure: @escaping @MainActor () -> Void) {
    connect_swapped(
        object,
        signal,
        { closure in
            guard let closure else { return }
            // GTK calls handlers on the thread that runs its loop, which is the main thread.
            MainActor.assumeIsolated { Unmanaged<Handler>.fromOpaque(closure).takeUnretainedValue().closure() }
        },
        Unmanaged.passRetained(Handler(closure)).toOpaque(),
        { closure in
            guard let closure else { return }
            Unmanaged<Handler>.fromOpaque(closure).release()
        }
    )
}

/// Boxes a closure for a C function.
private final class Handler: Sendable {
    let closure: @MainActor () -> Void

    init(_ closure: @escaping @MainActor () -> Void) {
        self.closure = closure
    }
}
