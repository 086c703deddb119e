// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSAL
import TestSupport

@testable import MSALBase

extension NativeAuthCase {
    /// A new application with an empty store, and the service that follows this case.
    func application(isV2: Bool = false) throws -> (MSALNativeAuthPublicClientApplication, CaseTransport) {
        guard let authority = configuration["authority"]?.string.flatMap(URL.init(string:)) else {
            throw CaseRun.Unplayable(description: "no authority")
        }
        let time = ManualTime(skipsSleeps: true)
        let transport = CaseTransport(authority: authority, configuration: configuration, time: time, isExact: isV2)
        let config = MSALNativeAuthPublicClientApplicationConfig(
            clientId: configuration["clientId"]?.string ?? "",
            authority: try MSALCIAMAuthority(url: authority),
            challengeTypes: Self.options(
                configuration["challengeTypes"],
                known: ["OOB": MSALNativeAuthChallengeTypes.OOB, "password": .password]
            )
        )
        config.capabilities = Self.options(
            configuration["capabilities"],
            known: [
                "mfaRequired": MSALNativeAuthCapabilities.mfaRequired, "registrationRequired": .registrationRequired,
            ]
        )
        if let dc = configuration["dc"]?.string { config.sliceConfig = MSALSliceConfig(slice: nil, dc: dc) }
        if let headers = configuration["interceptorHeaders"]?.object {
            config.requestInterceptor = CaseInterceptor(headers.compactMapValues(\.string))
        }
        let unexpected = StubAgent { _, _ throws(AgentError) in
            throw AgentError(.noBrowser, message: "No case opens one.")
        }
        let application = try MSALNativeAuthPublicClientApplication(
            nativeAuthConfiguration: config,
            platform: Platform(transport: transport, agent: unexpected, time: time),
            store: MemoryStore(),
            session: CurrentSession(),
            registeredSchemes: []
        )
        return (application, transport)
    }

    private static func options<Options: OptionSet>(_ names: JSONValue?, known: [String: Options]) -> Options
    where Options.Element == Options {
        var options = Options()
        for name in names?.array?.compactMap(\.string) ?? [] {
            if let option = known[name] { options.insert(option) }
        }
        return options
    }
}

/// Adds a case's headers.
private final class CaseInterceptor: NSObject, MSALNativeAuthRequestInterceptor {
    private let headers: [String: String]

    init(_ headers: [String: String]) {
        self.headers = headers
    }

    func addAdditionalHeaderFields(
        _ requestUrl: URL?,
        completionBlock: @escaping MSALNativeAuthRequestInterceptorAddHeaderCompletionBlock
    ) {
        completionBlock(headers)
    }
}
