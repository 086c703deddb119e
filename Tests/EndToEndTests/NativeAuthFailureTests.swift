// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import TestSupport
import Testing

@testable import MSAL
@testable import MSALCore

/// Failures of the service or the connection, cancellations, and an app that misuses its states.
@Suite(.timeLimit(.minutes(2)))
struct NativeAuthFailureTests {
    /// A failure of the first request of a move.
    enum Failure: String, CaseIterable, Sendable {
        case nonsense, emptyObject, refusalWithoutError, unavailable, forbidden, dropped, cancellation

        /// The fault of the platform, or `nil` for a cancellation. V1 retries requests once, so a lasting fault occurs
        /// twice.
        func fault(_ version: NativeAuthVersion) -> Fault? {
            // A new password of V2 is sent with PUT, not POST.
            var fault = Fault(pathSuffix: "", method: version == .v1 ? "POST" : nil)
            switch self {
            case .nonsense: (fault.status, fault.body) = (200, "<p>nonsense</p>")
            case .emptyObject: (fault.status, fault.body) = (400, "{}")
            case .refusalWithoutError: (fault.status, fault.body) = (400, #"{"error_codes":[50034],"suberror":7}"#)
            case .forbidden: (fault.status, fault.body) = (403, #"{"error":"invalid_grant"}"#)
            case .unavailable: fault.status = 503
            case .dropped: fault.dropsConnection = true
            case .cancellation: return nil
            }
            let lasts = self == .unavailable || self == .dropped
            fault.count = lasts && version == .v1 ? 2 : 1
            return fault
        }
    }

    /// Every move of every story fails in every way, and is then repeated successfully.
    @Test(arguments: NativeAuthSituations.all(.v1))
    func `after a failure at any step the step can be repeated`(situation: NativeAuthSituation) async throws {
        try await play(situation, of: .v1, through: NativeAuthAsyncDriver.self)
    }

    @Test(arguments: NativeAuthSituations.all(.v2))
    func `after a failure at any step of V2 the step can be repeated`(situation: NativeAuthSituation) async throws {
        try await play(situation, of: .v2, through: NativeAuthFlowDriver.self)
    }

    private func play(
        _ situation: NativeAuthSituation,
        of version: NativeAuthVersion,
        through face: any NativeAuthStatefulDriver.Type
    ) async throws {
        try await NativeAuthStage.run(situation) { stage in
            let driver = face.init(stage.application)
            for (move, expected) in situation.story {
                let resolved: NativeAuthMove
                switch move {
                case .meanwhile(let happening):
                    try await happening(stage.emulator)
                    continue
                case .code(let address): resolved = .typedCode(stage.emulator.newestCode(for: address) ?? "")
                default: resolved = move
                }
                if Self.needsResponse(move, expected: expected) {
                    for failure in Failure.allCases {
                        if let fault = failure.fault(version) { stage.emulator.enqueueFault(fault) }
                        try await suffer(failure, in: resolved, driver: driver)
                    }
                }
                let observation = try await driver.make(resolved)
                #expect(observation == expected)
            }
        }
    }

    private func suffer(
        _ failure: Failure,
        in move: NativeAuthMove,
        driver: any NativeAuthStatefulDriver
    ) async throws {
        let vain = try await driver.makeInVain(move, cancels: failure == .cancellation)
        guard case .failure(let reason, _) = vain else {
            Issue.record("\(move.input ?? "") with \(failure) gave \(vain)")
            return
        }
        #expect(failure != .cancellation || reason == .canceled)
    }

    /// A move without a request cannot fail.
    private static func needsResponse(_ move: NativeAuthMove, expected: NativeAuthObservation?) -> Bool {
        switch (move, expected) {
        case (_, .failure): false
        // V2 sends the attributes with the password, and asks for a password without a challenge.
        case (.attributes, .signUpPassword), (.choose, .signInPassword): false
        default: !move.isLocal
        }
    }

    @Test func `a used state is rejected, and a failed sign-in keeps the signed-in user`() async throws {
        try await NativeAuthStage.run { stage in
            let parameters = MSALNativeAuthSignInParameters(username: "code@fabrikam.example")
            guard case .codeRequired(let state) = try await stage.application.signIn(parameters: parameters) else {
                Issue.record("no code was requested")
                return
            }
            let code = try #require(stage.emulator.newestCode(for: "code@fabrikam.example"))
            _ = try await state.submit(code: code)
            let error = await #expect(throws: MSALNativeAuthStepError.self) { _ = try await state.submit(code: code) }
            let account = try #require(stage.application.getNativeAuthUserAccount())

            #expect(
                error?.errorCodes.contains(55_200) == true || error?.serverError?.errorCodes.contains(55_200) == true
            )
            #expect(account.account.username == "code@fabrikam.example")
        }
    }

    @Test func `two concurrent flows do not affect each other`() async throws {
        try await NativeAuthStage.run { stage in
            let application = stage.application
            func signIn(_ name: String) async throws -> String? {
                let parameters = MSALNativeAuthSignInParameters(username: name)
                guard case .passwordRequired(let state) = try await application.signIn(parameters: parameters),
                    case .completed(let account) = try await state.submit(password: Seed().password)
                else { return nil }
                return account.account.username
            }
            async let first = signIn("password@fabrikam.example")
            async let second = signIn("guest@fabrikam.example")
            let names = try await [first, second]
            let accounts = try application.allAccounts()

            #expect(names == ["password@fabrikam.example", "guest@fabrikam.example"])
            // One account is kept per client. Which of two concurrent ones it is, is undefined.
            #expect(accounts.count == 1)
        }
    }

    @MainActor
    @Test func `an application that is released during a flow still ends the flow`() async throws {
        try await NativeAuthStage.run { stage in
            let parameters = MSALNativeAuthSignInParameters(username: "password@fabrikam.example")
            parameters.password = Seed().password
            let delegate = Ending()
            var application: MSALNativeAuthPublicClientApplication? = try stage.anotherApplication()
            let name = await withCheckedContinuation { continuation in
                delegate.waiting = continuation
                application?.signIn(parameters: parameters, delegate: delegate)
                application = nil
            }

            #expect(name == "password@fabrikam.example")
        }
    }

    /// Waits for the end of one sign-in.
    @MainActor
    private final class Ending: SignInStartDelegate {
        var waiting: CheckedContinuation<String?, Never>?

        func onSignInCompleted(result: MSALNativeAuthUserAccountResult) {
            waiting?.resume(returning: result.account.username)
        }

        func onSignInStartError(error: SignInStartError) {
            waiting?.resume(returning: error.errorDescription)
        }
    }
}
