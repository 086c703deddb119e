// Licensed under the MIT License. See LICENSE.

import CGtk
import MSAL

/// Another app with the example's client ID, which shares its accounts.
///
/// `OtherApp sign-out` signs the account out. `OtherApp load` gets a token of the account a thousand times in parallel, and
/// prints the longest pause of GLib's loop. `OtherApp load-without-descriptor` does so as if libdispatch had no descriptor
/// of the main queue.
@main struct OtherApp {
    static let count = 1_000

    @MainActor static func main() {
        let mode = CommandLine.arguments.dropFirst().first
        let main = MainLoop(lookup: { mode == "load-without-descriptor" ? nil : dlsym(nil, $0) })
        let loop = g_main_loop_new(nil, 0)
        beat()
        Task {
            do {
                try await mode == "sign-out" ? signOut() : load()
            } catch {
                print("failed: \(error.localizedDescription)")
            }
            g_main_loop_quit(loop)
        }
        g_main_loop_run(loop)
        main.stop()
        print("descriptor \(main.hasDescriptor), pause \(Int(Pauses.shared.longest * 1_000)) ms")
    }

    /// Records every 5 ms that the loop runs: a pause is the time in which nothing else was served.
    @MainActor static func beat() {
        let note: GSourceFunc = { _ in
            MainActor.assumeIsolated { Pauses.shared.note() }
            return 1
        }
        g_timeout_add(5, note, nil)
    }

    @MainActor static func account() throws -> (MSALPublicClientApplication, MSALAccount) {
        let configuration = MSALPublicClientApplicationConfig(clientId: "Your_Application_Id_Here")
        let application = try MSALPublicClientApplication(configuration: configuration)
        guard let account = try application.allAccounts().first else { throw URLError(.userAuthenticationRequired) }
        return (application, account)
    }

    @MainActor static func signOut() async throws {
        let (application, account) = try account()
        _ = try await application.signout(with: account, signoutParameters: MSALSignoutParameters())
    }

    @MainActor static func load() async throws {
        let (application, account) = try account()
        let tasks = (0..<count).map { _ in
            Task {
                let parameters = MSALSilentTokenParameters(scopes: ["user.read"], account: account)
                return try await application.acquireTokenSilent(with: parameters).source.origin == .cache
            }
        }
        var fetched = 0
        for task in tasks where try await task.value { fetched += 1 }
        print("tokens \(fetched)")
    }
}

@MainActor final class Pauses {
    static let shared = Pauses()
    private(set) var longest = 0.0
    private var last = ContinuousClock.now

    func note() {
        let now = ContinuousClock.now
        longest = max(longest, (now - last) / .seconds(1))
        last = now
    }
}
