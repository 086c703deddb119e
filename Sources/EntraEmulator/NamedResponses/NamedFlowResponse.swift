// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird
import MSALBase

/// A named response of native authentication V2. Its links lead to a flow that does not exist.
enum NamedFlowResponse: Sendable {
    case entry
    case answer(FlowResponse)
    case code
    case fallback
    case unknownAction
    /// Requests the password, with a link to another host.
    case foreignLink
    case refusal(FlowProblem)

    /// The response in the usual form.
    func response(to exchange: Exchange, segment: TenantSegment, tenantID: String) throws -> Response {
        let branches = FlowBranches()
        let token = Secret.random(bytes: 96)
        func links(hostile: NativeAuthV2Settings.HostileLink? = nil) -> FlowLinks {
            var settings = NativeAuthV2Settings()
            settings.hostileLink = hostile
            return FlowLinks(
                of: Secret.random(bytes: 16).exposed,
                tenantID: tenantID,
                segment: segment,
                base: exchange.publicBase,
                branches: FlowBranches(settings)
            )
        }
        switch self {
        case .entry:
            let members = links().entryMembers(token, branches: branches)
            return .json(.object(members), status: .init(code: branches.entryStatus.rawValue))
        case .answer(let answer): return try answer.response(token, links: links(), branches: branches)
        case .code: return .json(["code": .string(Secret.random().exposed)])
        case .fallback: return .json(["state": "webFallbackRequired"])
        case .unknownAction:
            return .json([
                "state": "interactionRequired", "action": "sing", "continuationToken": .string(token.exposed),
                "_links": ["sing": ["href": "/{tenant}/api/v2.0/sing"]],
            ])
        case .foreignLink:
            let hostile = NativeAuthV2Settings.HostileLink(
                relation: .verify,
                address: "https://login.attacker.example/\(segment)/api/v2.0/auth/methods/password/verify"
            )
            return try FlowResponse.password(.somebodys)
                .response(token, links: links(hostile: hostile), branches: branches)
        case .refusal(let refusal):
            return try refusal.response(
                to: exchange,
                form: branches.errorForm,
                correlationName: branches.correlationName
            )
        }
    }
}

extension FlowMethod {
    static let email = FlowMethod.address("customer@fabrikam.example")
    static let telephone = FlowMethod(
        StrongMethod(id: UUID.derived(from: "method", "sms").text, channel: .sms, address: "+15550142")
    )
    static let somebodys = FlowMethod(type: password, of: "customer@fabrikam.example")
}

extension FlowResponse {
    static func offer(_ methods: [FlowMethod], factor: String = "singleFactor") -> FlowResponse {
        .choose(.challenge, factor: factor, from: methods) { method in
            [(.challenge, .challenge(type: method.type, id: method.id))]
        }
    }

    static func enroll(_ methods: [FlowMethod]) -> FlowResponse {
        .choose(.enroll, from: methods) { [(.enroll, .enroll(type: $0.type))] }
    }

    static func activate(_ method: FlowMethod) -> FlowResponse {
        .ask(
            .activate,
            about: method,
            codeLength: 8,
            links: [(.activate, .activate(type: method.type)), (.resend, .resend(type: method.type))]
        )
    }

    static func collect(_ rule: AttributeRule) -> FlowResponse {
        var answer = FlowResponse(action: .collectAttributes, links: [(.submitAttributes, .submitAttributes)])
        answer.members["attributes"] = [RequestedAttribute.rule(rule).flowJSON]
        return answer
    }
}
