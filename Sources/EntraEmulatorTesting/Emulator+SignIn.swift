// Licensed under the MIT License. See LICENSE.

public import EntraEmulator
public import Foundation
import ScriptedAgent

extension Emulator {
    /// Creates a headless browser in which a user signs in.
    ///
    /// ```swift
    /// let browser = try emulator.signIn(as: "megan@contoso.example")
    /// configuration.browserCommand = try browser.command
    /// ```
    ///
    /// - Parameters:
    ///   - userName: The user principal name.
    ///   - choices: The user's other decisions; by default everything that a sign-in requires.
    /// - Returns: The browser, which has not opened any address yet.
    /// - Throws: ``BrowserStandIn/UnknownUser`` if the user does not exist. Choose one of the users that it lists, or
    ///   add the user first.
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

    /// Sets claims of a user's next sign-in.
    ///
    /// ```swift
    /// try await emulator.setClaims(["department": "Sales"], ofNextSignInBy: "megan@contoso.example")
    /// ```
    ///
    /// `Emulator.setClaims(_:)` has more choices.
    ///
    /// - Parameters:
    ///   - claims: The claims to add or replace; `.none` removes one.
    ///   - userName: The user principal name.
    ///   - isForced: Whether to allow restricted claims, such as `iss` and `roles`.
    /// - Throws: `EmulatorDirectory.InvalidEntry` for a restricted claim without `isForced`.
    public func setClaims(
        _ claims: [String: TestToken.Claim],
        ofNextSignInBy userName: String,
        isForced: Bool = false
    ) async throws {
        var setting = EmulatorDirectory.TokenClaims(claims, user: userName)
        setting.isOnce = true
        setting.isForced = isForced
        try await setClaims(setting)
    }

    /// The address of a tenant, as clients use it for their authority.
    ///
    /// `tenant`: The ID or the domain of a tenant, or `common`, `organizations`, or `consumers`.
    public func authority(_ tenant: String) -> URL {
        baseURL.appending(path: tenant)
    }

    /// Runs a closure, and shuts the emulator down when it has completed or failed.
    ///
    /// - Throws: The error of the closure; after success, the error of `shutdown()`.
    package func shutdown<Value>(after work: () async throws -> Value) async throws -> Value {
        do {
            let value = try await work()
            try await shutdown()
            return value
        } catch {
            // The first error explains the run.
            try? await shutdown()
            throw error
        }
    }
}

/// Starts an emulator, runs a test with it, and stops it again, regardless of the outcome of the test.
///
/// - Throws: The errors of `Emulator.start`, and of the test.
public func withEmulator<Value>(
    _ configuration: EmulatorConfiguration = .init(),
    test: (Emulator) async throws -> Value
) async throws -> Value {
    let emulator = try await Emulator.start(configuration)
    return try await emulator.shutdown { try await test(emulator) }
}
