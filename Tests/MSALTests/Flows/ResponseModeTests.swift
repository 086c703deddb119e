// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSAL
import Synchronization
import TestSupport
import Testing

@testable import MSALBase
@testable import MSALCore

/// The response mode: `form_post` only to this machine and only from a service that supports it
/// (docs/reference/RedirectURIs.md#response-mode).
struct ResponseModeTests {
    private static let both = JSONValue.array([.string("query"), .string("form_post")])

    @Test(
        arguments: [
            (nil, both, "form_post"), (nil, .array([.string("query")]), "query"), (nil, .null, "query"),
            ("msauth.com.contoso.app://auth", both, "query"),
        ] as [(String?, JSONValue, String)]
    )
    func `a code comes by form only if a receiver and the service allow it`(
        _ redirect: String?,
        _ supported: JSONValue,
        _ mode: String
    ) async throws {
        var configuration = ClientConfiguration.bench
        configuration.browser.redirectURI = try .verify(
            redirect,
            applicationID: "com.contoso.app",
            registeredSchemes: redirect == nil ? [] : ["msauth.com.contoso.app"],
            authority: .default
        )
        let modes = Mutex<[ResponseMode]>([])
        let agent = StubAgent { visit, _ throws(AgentError) in
            modes.withLock { $0.append(visit.responseMode) }
            throw AgentError(.canceled, message: "The page is all this test wants.")
        }
        let bench = ClientBench(configuration, agent: agent)
        bench.service.setDiscovery(.overridden(["response_modes_supported": supported]))

        await #expect(throws: AuthError.self) { try await bench.client.interactive.acquire(Contoso.interactive()) }

        #expect(agent.openedURLs.map { $0.parameter("response_mode") } == [mode])
        #expect(modes.withLock { $0.map(\.rawValue) } == [mode])
    }
}
