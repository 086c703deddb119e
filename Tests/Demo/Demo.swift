// Licensed under the MIT License. See LICENSE.

import BrowserProfiles
import Dispatch
import EntraEmulator
import Foundation
import MSAL
import ScriptedAgent

/// Selects the service and the browser, starts them, and runs the tour.
@main struct Demo {
    static func main() async {
        do {
            let options = try DemoOptions(
                CommandLine.arguments.dropFirst(),
                environment: ProcessInfo.processInfo.environment
            )
            try await canceledBySignals { try await Demo(options).run() }
        } catch {
            Narrator.fail(error)
        }
    }

    private let options: DemoOptions
    private let narrator = Narrator()

    private init(_ options: DemoOptions) { self.options = options }

    private func run() async throws {
        if let clientID = options.clientID {
            narrator.say("Microsoft's own service signs you in. No token remains on this machine afterwards.")
            narrator.say("The browser is your usual one, and stays signed in.")
            try await Tour(service: Service(clientID: clientID, authority: options.authority), userAgent: .desktop)
                .run()
        } else {
            try await runAtEmulator()
        }
    }

    private func runAtEmulator() async throws {
        narrator.step("Start the identity platform on this machine")
        let emulator = try await Emulator.start(EmulatorConfiguration())
        narrator.say("It listens at \(emulator.baseURL), loopback only, over TLS.")
        narrator.say("Its certificate authority: \(emulator.certificateAuthorityFile.path(percentEncoded: false))")
        let userAgent = await userAgent(for: emulator)
        let tour = await outcome { try await Tour(service: Service(emulator), userAgent: userAgent).run() }
        narrator.step("Clean up")
        // This also runs after a failure, in a separate task, because a task that Ctrl-C canceled cannot wait.
        let shutdown = await Task {
            await userAgent.close()
            return await outcome { try await emulator.shutdown() }
        }.value
        try tour.get()
        try shutdown.get()
        narrator.say("The platform is stopped, and no token of the demo remains on this machine.")
        narrator.say("To do the same with the real service, you only need a client ID: scripts/demo --client-id <id>")
    }

    private func outcome(_ work: () async throws -> Void) async -> Result<Void, any Error> {
        do { return .success(try await work()) } catch { return .failure(error) }
    }

    private func userAgent(for emulator: Emulator) async -> UserAgent {
        if options.isHeadless {
            narrator.say("A scripted user agent fills in the pages that a user would see.")
            let person = Script(
                userName: emulator.seed.megan.userPrincipalName,
                password: Script.Password(emulator.seed.password)
            )
            return .script(ScriptedAgent(script: person, certificateAuthorityFile: emulator.certificateAuthorityFile))
        }
        narrator.say("Sign in as \(emulator.seed.megan.userPrincipalName), password \(emulator.seed.password)")
        do throws(TemporaryBrowser.Unavailable) {
            guard options.hasDisplay else { throw TemporaryBrowser.Unavailable(reason: "no display was found") }
            let browser = try await TemporaryBrowser(
                trusting: emulator.certificateAuthorityFile,
                family: .chromium,
                environment: ProcessInfo.processInfo.environment
            )
            narrator.say("Chromium opens in a separate profile that trusts this certificate authority.")
            return .window(browser)
        } catch {
            narrator.say("Your usual browser opens, because \(error.reason).")
            narrator.say(
                "It does not know the certificate authority above and warns that the connection is not private."
            )
            narrator.say("For this address, it is safe to continue (“Advanced”, then “Proceed to localhost”).")
            narrator.say("Do not add the certificate authority to a browser that you use for anything else.")
            return .desktop
        }
    }

    /// On Ctrl-C or the end of the session, lets the work clean up. A second signal ends the process as usual.
    private static func canceledBySignals(_ work: @escaping @Sendable () async throws -> Void) async throws {
        // Awaited below; unstructured, because a signal handler has to cancel it.
        let task = Task { try await work() }
        let sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                signal(number, SIG_DFL)
                task.cancel()
            }
            source.resume()
            return source
        }
        defer { sources.forEach { $0.cancel() } }
        try await task.value
    }
}
