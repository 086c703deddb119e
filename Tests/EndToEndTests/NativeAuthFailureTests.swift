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

        /// The fault of the platform, or `nil` for a cancellation. Requests are repeated once, so a lasting fault occurs twice.
        var fault: Fault? {
            switch self {
            case .nonsense: Fault(pathSuffix: "", method: "POST", status: 200, body: "<p>nonsense</p>")
            case .emptyObject: Fault(pathSuffix: "", method: "POST", status: 400, body: "{}")
            case .refusalWithoutError:
                Fault(pathSuffix: "", method: "POST", status: 400, body: #"{"error_codes":[50034],"suberror":7}"#)
            case .unavailable: Fault(pathSuffix: "", method: "POST", status: 503, count: 2)
            case .forbidden: Fault(pathSuffix: "", method: "POST", status: 403, body: #"{"error":"invalid_grant"}"#)
            case .dropped: Fault(pathSuffix: "", method: "POST", dropsConnection: true, count: 2)
            case .cancellation: nil
            }
        }
    }

    /// Every move of every story fails in every way, and then goes as if nothing had been.
    @Test(arguments: NativeAuthSituations.all)
    func `a failure at any step costs nothing but the attempt`(situation: NativeAuthSituation) async throws {
        try await Self.stage(situation) { stage in
            let driver = NativeAuthAsyncDriver(stage.application)
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
                        try await suffer(failure, in: resolved, driver: driver, emulator: stage.emulator)
                    }
                }
                let sight = try await driver.make(resolved)
                #expect(sight == expected)
            }
        }
    }

    private func suffer(
        _ failure: Failure,
        in move: NativeAuthMove,
        driver: NativeAuthAsyncDriver,
        emulator: Emulator
    ) async throws {
        if let fault = failure.fault { emulator.enqueueFault(fault) }
        let vain = try await driver.makeInVain(move, cancels: failure == .cancellation)
        guard case .failure(let reason, _) = vain else {
            Issue.record("\(move.input ?? "") with \(failure) gave \(vain)")
            return
        }
        #expect(failure != .cancellation || reason == .canceled)
    }

    /// A move without a request cannot be disturbed.
    private static func needsResponse(_ move: NativeAuthMove, expected: NativeAuthSight?) -> Bool {
        if case .failure = expected { return false }
        return !move.isLocal
    }

    @Test func `a state that was used up is refused, and a sign-in that failed keeps who is signed in`() async throws {
        try await NativeAuthStage.run { stage in
            let parameters = MSALNativeAuthSignInParameters(username: "code@fabrikam.example")
            guard case .codeRequired(let state) = try await stage.application.signIn(parameters: parameters) else {
                Issue.record("no code was asked for")
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

    @Test func `two flows at once do not disturb each other`() async throws {
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
            // One account is kept for a client; which of two at once, nobody can say.
            #expect(accounts.count == 1)
        }
    }

    @MainActor
    @Test func `an application that is let go in the middle still ends its flow`() async throws {
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

    private static func stage(
        _ situation: NativeAuthSituation,
        story: (NativeAuthStage) async throws -> Void
    ) async throws {
        try await NativeAuthStage.run(
            clientID: situation.clientID,
            challengeTypes: situation.challengeTypes,
            capabilities: situation.capabilities,
            machine: { platform, emulator in
                // Waits between repetitions take no time.
                let time = ManualTime(now: emulator.now, skipsSleeps: true)
                let network = AsyncHTTPClientTransport(
                    HTTPSettings(caFile: emulator.certificateAuthorityFile, environment: [:])
                )
                platform.time = time
                platform.transport = RetryingTransport(base: network, settings: { RetrySettings() }, time: time)
            },
            story
        )
    }
}
