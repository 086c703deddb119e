// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import TestSupport

@testable import MSAL
@testable import MSALBase
@testable import MSALCore

/// The core of V2 and a service with scripted responses.
struct FlowScript {
    let service: ScriptedTransport
    let client: NativeAuthClient

    init(
        _ answers: ScriptedTransport.Response...,
        time: any TimeSource = ManualTime(skipsSleeps: true),
        change: (inout NativeAuthConfiguration) -> Void = { _ in }
    ) throws {
        service = ScriptedTransport(answers)
        client = try CoreBench(service, time: time, change: change).client
    }

    func start(
        _ scenario: NativeAuth.Scenario = .signIn,
        change: (inout NativeAuth.FlowStart) -> Void = { _ in }
    ) async throws(NativeAuthFailure) -> NativeAuth.FlowStep {
        var start = NativeAuth.FlowStart(scenario: scenario, username: Lee.username)
        change(&start)
        return try await client.startFlow(start)
    }

    /// The members of the body of the request with this index.
    func body(_ index: Int) -> [String: JSONValue] {
        guard service.messages.indices.contains(index) else { return [:] }
        return service.messages[index].body.flatMap { JSONValue(parsing: $0) }?.object ?? [:]
    }
}

extension ScriptedTransport.Response {
    /// The entry, with a link for each flow.
    static func entry(_ token: String = "ct-entry", start: String = "/t/api/v2.0/start") -> Self {
        .json(
            """
            {"error":"InsufficientAuthorization","continuation_token":"\(token)","sign_in":"\(start)",\
            "sign_up":"\(start)","reset_password":"\(start)"}
            """,
            status: 401,
            to: "authorize-challenge"
        )
    }

    /// A response of V2: an action, its links by relation, and further members as JSON text.
    static func action(
        _ name: String,
        token: String,
        links: [String: String] = [:],
        members: String = "",
        to part: String = ""
    ) -> Self {
        let links = links.sorted { $0.key < $1.key }.map { #""\#($0.key)":{"href":"\#($0.value)"}"# }
        return .json(
            """
            {"state":"interactionRequired","action":"\(name)","continuationToken":"\(token)",\
            \(members.isEmpty ? "" : members + ",")"_links":{\(links.joined(separator: ","))}}
            """,
            to: part
        )
    }

    static func passwordAsked(_ token: String = "ct-password") -> Self {
        .action("verify", token: token, links: ["verify": "/t/api/v2.0/pw"], members: #""type":"password""#)
    }

    static func codeAsked(_ token: String = "ct-code") -> Self {
        .action(
            "verify",
            token: token,
            links: ["verify": "/t/api/v2.0/code", "resend": "/t/api/v2.0/resend"],
            members: #""type":"email","hint":"l***","codeLength":8"#
        )
    }

    static func newPasswordAsked(_ token: String = "ct-new") -> Self {
        .action("update", token: token, links: ["update": "/t/api/v2.0/update"])
    }

    static func polling(_ token: String) -> Self {
        .action("poll", token: token, links: ["poll": "/t/api/v2.0/poll"])
    }

    static func finished(_ token: String = "ct-end") -> Self {
        .json(#"{"state":"continue","continuationToken":"\#(token)"}"#)
    }

    static func refused(code: String = "invalidGrant", inner: String? = nil, message: String, status: Int = 400) -> Self
    {
        let innerError = inner.map { #","innerError":{"code":"\#($0)"}"# } ?? ""
        return .json(#"{"error":{"code":"\#(code)","message":"\#(message)"\#(innerError)}}"#, status: status)
    }

    static var authorizationCode: Self { .json(#"{"code":"secret-code"}"#, to: "authorize-challenge") }
}
