// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSAL
import TestSupport

extension Platform {
    /// A machine without network and browser, except for what a test supplies.
    static func scripted(
        _ transport: ScriptedTransport = ScriptedTransport(),
        agent: StubAgent = StubAgent { _, _ throws(AgentError) in
            throw AgentError(.canceled, message: "The user gave up.")
        }
    ) -> Platform {
        Platform(transport: transport, agent: agent, time: ManualTime())
    }
}

extension MSALPublicClientApplication {
    /// An application on a scripted machine with an empty store.
    static func scripted(
        _ configuration: MSALPublicClientApplicationConfig = MSALPublicClientApplicationConfig(clientId: "client"),
        platform: Platform = .scripted(),
        registeredSchemes: Set<String> = []
    ) throws -> MSALPublicClientApplication {
        try MSALPublicClientApplication(
            configuration: configuration,
            platform: platform,
            store: MemoryStore(),
            session: CurrentSession(),
            registeredSchemes: registeredSchemes
        )
    }
}

/// The error that `body` throws, as an app receives it.
func nsError(_ body: () throws -> Void) -> NSError? {
    do {
        try body()
        return nil
    } catch {
        return error as NSError
    }
}

extension NSError {
    /// The detail behind `MSALError.internal`.
    var detail: Int? { (userInfo[MSALInternalErrorCodeKey] as? NSNumber)?.intValue }
}
