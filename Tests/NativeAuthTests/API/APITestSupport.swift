// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSAL
import TestSupport

@testable import MSALBase
@testable import MSALCore

/// An application of native authentication and its service, which returns scripted responses.
struct NativeScript {
    static let clientID = "11111111-1111-4111-8111-111111111111"
    let application: MSALNativeAuthPublicClientApplication
    let service: ScriptedTransport
    let agent: StubAgent
    let store: any TokenStore

    init(
        _ answers: ScriptedTransport.Response...,
        store: any TokenStore = MemoryStore(),
        agent: StubAgent = NativeScript.nobody,
        configure: (MSALNativeAuthPublicClientApplicationConfig) -> Void = { _ in }
    ) throws {
        try self.init(answers: answers, store: store, agent: agent, configure: configure)
    }

    init(
        answers: [ScriptedTransport.Response],
        store: any TokenStore,
        agent: StubAgent = NativeScript.nobody,
        configure: (MSALNativeAuthPublicClientApplicationConfig) -> Void = { _ in }
    ) throws {
        service = ScriptedTransport(answers)
        self.agent = agent
        self.store = store
        let configuration = try NativeScript.configuration()
        configuration.capabilities = [.mfaRequired, .registrationRequired]
        configure(configuration)
        application = try MSALNativeAuthPublicClientApplication(
            nativeAuthConfiguration: configuration,
            platform: Platform(
                transport: TalkativeTransport(service),
                agent: agent,
                time: ManualTime(skipsSleeps: true)
            ),
            store: store,
            session: CurrentSession(),
            registeredSchemes: []
        )
    }

    private static var nobody: StubAgent {
        StubAgent { _, _ throws(AgentError) in throw AgentError(.canceled, message: "The user gave up.") }
    }

    static func configuration() throws -> MSALNativeAuthPublicClientApplicationConfig {
        try MSALNativeAuthPublicClientApplicationConfig(
            clientId: clientID,
            tenantSubdomain: "contoso",
            challengeTypes: [.OOB, .password]
        )
    }

    /// The form of the request with this index.
    func form(_ index: Int) -> [String: String] {
        service.messages.indices.contains(index) ? service.messages[index].form : [:]
    }
}

extension ScriptedTransport.Response {
    static func started(_ token: String, at path: String = "initiate") -> Self {
        .json(#"{"continuation_token":"\#(token)"}"#, to: path)
    }

    /// A one-time code was sent.
    static func code(_ token: String, at path: String = "challenge") -> Self {
        .json(
            """
            {"continuation_token":"\(token)","challenge_type":"oob","challenge_target_label":"l***@contoso.com",\
            "challenge_target":"lee@contoso.com","challenge_channel":"email","code_length":8}
            """,
            to: path
        )
    }

    static func password(_ token: String, at path: String = "challenge") -> Self {
        .json(#"{"continuation_token":"\#(token)","challenge_type":"password"}"#, to: path)
    }

    /// The authentication methods with these ids.
    static func methods(_ token: String, ids: String...) -> Self {
        let methods = ids.map {
            #"{"id":"\#($0)","challenge_type":"oob","challenge_channel":"email","login_hint":"\#($0)@c***"}"#
        }
        return .json(
            #"{"continuation_token":"\#(token)","methods":[\#(methods.joined(separator: ","))]}"#,
            to: "introspect"
        )
    }

    static func refused(
        _ error: String,
        suberror: String? = nil,
        codes: [Int] = [],
        token: String? = nil,
        at path: String
    ) -> Self {
        let members = [
            #""error":"\#(error)""#, suberror.map { #""suberror":"\#($0)""# },
            #""error_description":"AADSTS: \#(error)""#, #""error_codes":\#(codes)"#,
            #""trace_id":"trace-1","timestamp":"2026-01-01 00:00:00Z""#,
            token.map { #""continuation_token":"\#($0)""# },
        ]
        return .json("{\(members.compactMap(\.self).joined(separator: ","))}", status: 400, to: path)
    }

    static func redirect(_ reason: String, at path: String) -> Self {
        .json(#"{"challenge_type":"redirect","redirect_reason":"\#(reason)"}"#, to: path)
    }

    /// The metadata, with the endpoint for renewing a token.
    static var metadata: Self {
        .json(
            """
            {"issuer":"https://contoso.ciamlogin.com/utid/v2.0",\
            "authorization_endpoint":"https://contoso.ciamlogin.com/utid/oauth2/v2.0/authorize",\
            "token_endpoint":"https://contoso.ciamlogin.com/utid/oauth2/v2.0/token"}
            """,
            to: "openid-configuration"
        )
    }

    /// Tokens of the user `uid.utid`; `before` runs when they are requested.
    static func tokens(
        access: String = "access-1",
        scope: String = "openid profile",
        before: @escaping @Sendable () -> Void = {}
    ) -> Self {
        let claims = """
            {"aud":"\(NativeScript.clientID)","sub":"sub","oid":"uid","tid":"utid","preferred_username":"lee@contoso.com"}
            """
        let idToken = [#"{"alg":"RS256"}"#, claims, "sig"].map { Base64URL.encode(Array($0.utf8)) }.joined(
            separator: "."
        )
        let clientInfo = Base64URL.encode(Array(#"{"uid":"uid","utid":"utid"}"#.utf8))
        let text = """
            {"token_type":"Bearer","access_token":"\(access)","refresh_token":"refresh-1","expires_in":3600,\
            "scope":"\(scope)","id_token":"\(idToken)","client_info":"\(clientInfo)"}
            """
        return Self("tokens", to: { $0.url.path.hasSuffix("oauth2/v2.0/token") }) { _ throws(TransportError) in
            before()
            return HTTPResponse(status: 200, body: Data(text.utf8))
        }
    }
}
