// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSAL
import Synchronization
import TestSupport
import Testing

@Suite("The way from native authentication to the browser", .timeLimit(.minutes(1)))
struct APIBrowserTests {
    /// A window of the desktop.
    private final class Window: MSALPresentationParent {
        let parentWindowHandle = "x11:2a"
    }

    /// What happened, in order.
    private final class Events: Sendable {
        private let list = Mutex<[String]>([])

        var all: [String] { list.withLock(\.self) }

        func add(_ event: String) { list.withLock { $0.append(event) } }
    }

    private func handover(_ script: NativeScript) async throws -> MSALNativeAuthBrowserHandover {
        let parameters = MSALNativeAuthSignInParameters(username: "lee@contoso.com")
        guard case .browserRequired(let handover) = try await script.application.signIn(parameters: parameters) else {
            throw Unexpected()
        }
        return handover
    }

    @Test func `the agent receives the parent window and the waiting object`() async throws {
        let seen = Events()
        let agent = StubAgent { visit, _ throws(AgentError) in
            seen.add("window \(visit.window.parent ?? "none")")
            visit.window.onLaunch?(false)
            throw AgentError(.canceled, message: "The user gave up.")
        }
        let script = try NativeScript(
            .started("ct-1"),
            .redirect("social account", at: "challenge"),
            .metadata,
            agent: agent
        ) { $0.redirectUri = "http://localhost" }
        let window = Window()
        let parameters = MSALWebviewParameters(authPresentationViewController: window)
        parameters.onLaunch = { seen.add("started \($0)") }
        let handover = try await handover(script)

        await #expect(throws: NSError.self) { try await handover.signIn(with: parameters) }

        #expect(seen.all == ["window x11:2a", "started false"])
    }

    @Test func `an app's own web view is rejected before anything is opened`() async throws {
        let script = try NativeScript(
            .started("ct-1"),
            .redirect("social account", at: "challenge")
        ) { $0.redirectUri = "http://localhost" }
        let parameters = MSALWebviewParameters()
        parameters.customWebview = NSObject()
        let handover = try await handover(script)

        let error = await #expect(throws: NSError.self) { try await handover.signIn(with: parameters) }

        #expect((error?.userInfo[MSALInternalErrorCodeKey] as? NSNumber)?.intValue == -42008)
        #expect(script.agent.openedURLs.isEmpty)
        try script.service.verify()
    }
}
