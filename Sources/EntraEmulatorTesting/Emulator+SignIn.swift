// Licensed under the MIT License. See LICENSE.

public import EntraEmulator
public import Foundation
import ScriptedAgent

extension Emulator {
    /// A browser without a screen in which this user signs in.
    ///
    /// ```swift
    /// let browser = try emulator.signIn(as: "megan@contoso.example")
    /// configuration.browserCommand = try browser.command
    /// ```
    ///
    /// - Parameters:
    ///   - userName: The name that is typed.
    ///   - choices: What else the person does; by default everything that a sign-in needs.
    /// - Returns: The browser, which has opened nothing yet.
    /// - Throws: ``BrowserStandIn/UnknownUser`` for a name that nobody has. Choose one of the names that it lists, or add
    ///   the user first.
    public func signIn(as userName: String, choosing choices: SignInChoices = .init()) throws -> BrowserStandIn {
        let account = account(named: userName)
        guard let account else { throw BrowserStandIn.UnknownUser(userName: userName, others: someAccountNames) }
        let person = Script(
            userName: userName,
            password: Script.Password(choices.password ?? account.password ?? ""),
            consent: choices.consent.scripted,
            staySignedIn: choices.staysSignedIn,
            cancelAt: choices.givesUp?.scripted
        )
        return BrowserStandIn(self, person: person, code: choices.code)
    }

    /// The address of a tenant, as clients want it for their authority.
    ///
    /// `tenant`: The id or the domain of a tenant, or `common`, `organizations`, `consumers`.
    public func authority(_ tenant: String) -> URL {
        baseURL.appending(path: tenant)
    }

    /// Does work, and shuts the emulator down when the work is done or has failed.
    ///
    /// - Throws: What the work throws; what `shutdown()` throws after work that did not fail.
    package func shutdown<Value>(after work: () async throws -> Value) async throws -> Value {
        do {
            let value = try await work()
            try await shutdown()
            return value
        } catch {
            // The first error is the one that explains the run.
            try? await shutdown()
            throw error
        }
    }
}

/// Starts an emulator, runs a test with it and stops it again, however the test ends.
///
/// - Throws: What `Emulator.start` throws, and what the test throws.
public func withEmulator<Value>(
    _ configuration: EmulatorConfiguration = .init(),
    test: (Emulator) async throws -> Value
) async throws -> Value {
    let emulator = try await Emulator.start(configuration)
    return try await emulator.shutdown { try await test(emulator) }
}
