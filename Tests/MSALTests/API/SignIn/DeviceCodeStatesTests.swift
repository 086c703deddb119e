// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSAL
import TestSupport
import Testing

@testable import MSALBase

/// The sequence of the states of a device code.
@Suite(.timeLimit(.minutes(1)))
struct DeviceCodeStatesTests {
    private let service = StandInService()
    private let application: MSALPublicClientApplication

    init() throws {
        service.offerDeviceCodes()
        service.append([
            .reply(
                .json(
                    Contoso.deviceCode
                )
            )
        ])
        application = try MSALPublicClientApplication(
            configuration: MSALPublicClientApplicationConfig(clientId: Contoso.clientID),
            // The clock does not advance, so the first pause never ends.
            platform: Platform(
                transport: service,
                agent: StubAgent(on: SignInEnvironment()) { _, _ in [:] },
                time: ManualTime()
            ),
            store: MemoryStore(),
            session: CurrentSession()
        )
    }

    /// Whether a sign-in of the application is in progress. Another sign-in on this machine would fail.
    private func isSigningIn() async -> Bool {
        do {
            _ = try await application.acquireToken(
                with: MSALInteractiveTokenParameters(scopes: ["user.read"], webviewParameters: MSALWebviewParameters())
            )
            return false
        } catch {
            return (error as NSError).detail == -42402
        }
    }

    @Test func `leaving the loop ends the sign-in even if the sequence is retained`() async throws {
        let states = application.deviceCodeStates(with: MSALDeviceCodeTokenParameters(scopes: ["user.read"]))

        for try await state in states {
            #expect(state.kind == .code)
            #expect(await isSigningIn())
            break
        }

        while await isSigningIn() { await Task.yield() }
        withExtendedLifetime(states) {}
    }
}
