// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird
import MSALBase

/// The response of a flow, before it is encoded as HAL.
struct FlowResponse: Sendable {
    /// The next action of the app.
    enum Action: String, Sendable {
        case challenge, verify, update, poll, collectAttributes, enroll, register, activate, riskverify
    }

    /// The links of the response, or of a method in it.
    typealias Links = [(relation: FlowRelation, step: FlowStepAddress)]

    /// A method that the app can choose, with its links.
    struct Choice: Sendable {
        let method: FlowMethod
        let links: Links
    }

    /// `nil` if everything is done.
    let action: Action?
    var members: [String: JSONValue] = [:]
    var links: Links = []
    var choices: [Choice]?

    /// Everything is done; the authorization code can be requested.
    static let done = FlowResponse(action: nil)

    /// A list of methods. The app chooses one of them.
    static func choose(
        _ action: Action,
        factor: String? = nil,
        from methods: [FlowMethod],
        by links: (FlowMethod) -> Links
    ) -> FlowResponse {
        var answer = FlowResponse(action: action)
        answer.choices = methods.map { Choice(method: $0, links: links($0)) }
        if let factor { answer.members["challengeContext"] = ["authenticationFactor": .string(factor)] }
        return answer
    }

    /// A request about one method: its password, or the code that was sent.
    static func ask(_ action: Action, about method: FlowMethod, codeLength: Int?, links: Links) -> FlowResponse {
        var answer = FlowResponse(action: action, links: links)
        answer.members = ["id": .string(method.id), "type": .string(method.type)]
        answer.members["hint"] = method.hint.map { .string($0) }
        answer.members["codeLength"] = codeLength.map { .int($0) }
        return answer
    }
}

extension FlowResponse {
    /// The response with its continuation token.
    ///
    /// `isResumed`: Whether the app has requested the authorization code; the service then responds with 401.
    func response(
        _ token: Secret,
        links: FlowLinks,
        branches: FlowBranches,
        isResumed: Bool = false
    ) throws -> Response {
        var body = members
        body["state"] = action == nil ? "continue" : "interactionRequired"
        body["action"] = action.map { .string($0.rawValue) }
        for name in branches.tokenName.names { body[name] = .string(token.exposed) }
        if let choices {
            let methods = choices.map { Self.json($0, links: links) } + (branches.extraMethods ? [Self.unknown] : [])
            body["_embedded"] = ["methods": .array(methods)]
        }
        var written = Self.json(self.links, links: links)
        if action == nil, branches.continueLink { written[FlowRelation.continue.rawValue] = links.resume }
        if branches.unknownMembers {
            body["ring"] = Self.unknownMember
            written["help"] = ["href": "https://learn.microsoft.com/", "title": "Help"]
        }
        if !written.isEmpty { body["_links"] = .object(written) }
        if branches.numbersAsText { body = body.mapValues { value in value.int.map { .string(String($0)) } ?? value } }
        let isWanting = action != nil && (isResumed || branches.interactionStatus == .unauthorized)
        var response = Response.json(.object(body), status: isWanting ? .unauthorized : .ok)
        response.headers[.contentType] = "application/hal+json; charset=utf-8"
        return response
    }

    private static func json(_ choice: Choice, links: FlowLinks) -> JSONValue {
        var members: [String: JSONValue] = [
            "id": .string(choice.method.id), "type": .string(choice.method.type),
            "_links": .object(json(choice.links, links: links)),
        ]
        members["hint"] = choice.method.hint.map { .string($0) }
        return .object(members)
    }

    private static func json(_ all: Links, links: FlowLinks) -> [String: JSONValue] {
        Dictionary(all.map { ($0.relation.rawValue, links.link($0.relation, to: $0.step)) }) { first, _ in first }
    }

    /// The value of an undocumented member.
    static let unknownMember: JSONValue = ["name": "preview", "numbers": [1, 2]]

    /// A method of a type that no app supports, without links.
    private static let unknown: JSONValue = ["id": "unknown", "type": "carrierPigeon", "_links": [:]]
}

extension NativeAuthV2Settings.TokenName {
    /// The members that contain the token.
    fileprivate var names: [String] {
        switch self {
        case .camel: ["continuationToken"]
        case .snake: ["continuation_token"]
        case .both: ["continuationToken", "continuation_token"]
        }
    }
}
