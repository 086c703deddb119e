// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import MSAL
import Synchronization
import TestSupport
import Testing

@testable import MSALBase
@testable import MSALCore

/// A sign-in is the open session from its first step to its last.
@Suite(.timeLimit(.minutes(1)))
struct SignInSessionTests {
    private let time = ManualTime()
    private let session = CurrentSession()

    /// A machine whose inspection takes as long as the clock stands still, and where no sign-in mode works.
    private struct SlowMachine: AuthorizationAgent {
        let time: ManualTime

        func signInEnvironment(browserCommand: [String]?) async -> SignInEnvironment {
            try? await time.sleep(for: .seconds(3))  // A canceled inspection ends early.
            return SignInEnvironment()
        }

        func authorize(_ visit: AuthorizationVisit) async throws(AgentError) -> AuthorizationReturn {
            throw AgentError(.noBrowser, message: "There is none.")
        }
    }

    private func signIn(
        _ agent: any AuthorizationAgent,
        at service: StandInService = StandInService()
    ) async -> AuthError? {
        let client = TokenClient(
            configuration: .bench,
            platform: Platform(transport: service, agent: agent, time: time),
            store: MemoryStore(),
            session: session
        )
        do throws(AuthError) {
            _ = try await client.interactive.acquire(
                InteractiveRequest(token: TokenRequest(scopes: ScopeSet(parsing: "user.read")))
            )
            return nil
        } catch {
            return error
        }
    }

    @Test func `a session can be canceled during the inspection of the machine, and blocks any other`() async throws {
        let first = Task { await signIn(SlowMachine(time: time)) }
        await time.untilSomebodySleeps()

        let second = await signIn(SlowMachine(time: time))
        #expect(session.cancel())

        guard case .sessionAlreadyRunning? = second?.kind, case .canceled? = await first.value?.kind else {
            Issue.record("The second sign-in started, or the first one was not canceled.")
            return
        }
        #expect(!session.cancel(), "The session is over.")
    }

    @Test func `a session is still open while its code is redeemed`() async throws {
        let wasOpen = Mutex<Bool?>(nil)
        let service = StandInService()
        service.append([
            .made { [session] _ in
                let isOpen = session.cancel()
                wasOpen.withLock { $0 = isOpen }
                return .json(.object(["error": .string("invalid_grant")]), status: 400)
            }
        ])

        _ = await signIn(StubAgent.givingCode, at: service)

        #expect(wasOpen.withLock { $0 } == true)
    }
}
