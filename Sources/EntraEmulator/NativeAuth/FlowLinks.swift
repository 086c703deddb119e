// Licensed under the MIT License. See LICENSE.

import MSALBase

typealias FlowRelation = NativeAuthV2Settings.Relation

/// Creates the links of a flow.
struct FlowLinks: Sendable {
    /// `https://host[:port]`.
    private let base: String
    /// The tenant as the app writes it.
    private let segment: TenantSegment
    private let tenantID: String
    /// The ID of the flow.
    private let flow: String
    private let style: NativeAuthV2Settings.LinkStyle
    private let hostile: NativeAuthV2Settings.HostileLink?

    init(of flow: String, tenantID: String, segment: TenantSegment, base: String, branches: FlowBranches) {
        (self.flow, self.tenantID, self.segment, self.base) = (flow, tenantID, segment, base)
        style = branches.linkStyle
        hostile = branches[\.hostileLink]
    }

    /// The address of a relation.
    func address(_ relation: FlowRelation, to step: FlowStepAddress) -> String {
        address(relation, path: FlowAddress.step(step, flow: flow).path)
    }

    /// A link in the HAL format.
    func link(_ relation: FlowRelation, to step: FlowStepAddress) -> JSONValue {
        link(address(relation, to: step))
    }

    /// The link to the address that returns the authorization code.
    var resume: JSONValue { link(address(.continue, path: FlowAddress.authorizeChallenge.path)) }

    private func link(_ address: String) -> JSONValue {
        var members: [String: JSONValue] = ["href": .string(address)]
        if style == .template { members["templated"] = true }
        return .object(members)
    }

    private func address(_ relation: FlowRelation, path: String) -> String {
        if let hostile, hostile.relation == relation { return hostile.address }
        return switch style {
        case .relative: "/\(segment)/\(path)"
        case .relativeTenantID: "/\(tenantID)/\(path)"
        case .template: "/{tenant}/\(path)"
        case .absolute: "\(base)/\(segment)/\(path)"
        }
    }
}

extension FlowLinks {
    /// The members of the entry point's response: a token, and a link for each possible start of a flow.
    func entryMembers(_ token: Secret, branches: FlowBranches) -> [String: JSONValue] {
        var members: [String: JSONValue] = [
            "error": "InsufficientAuthorization", "error_description": "Continue with one of the links.",
        ]
        let ways: [(snake: FlowRelation, camel: String, step: FlowStepAddress)] = [
            (.signIn, "signIn", .signIn), (.signUp, "signUp", .signUp),
            (.resetPassword, "resetPassword", .resetPassword),
        ]
        switch branches.entryNames {
        case .snake:
            members["continuation_token"] = .string(token.exposed)
            for way in ways { members[way.snake.rawValue] = .string(address(way.snake, to: way.step)) }
        case .camel:
            members["continuationToken"] = .string(token.exposed)
            for way in ways { members[way.camel] = .string(address(way.snake, to: way.step)) }
        case .hal:
            members["continuationToken"] = .string(token.exposed)
            members["_links"] = .object(
                Dictionary(ways.map { ($0.camel, link($0.snake, to: $0.step)) }) { first, _ in first }
            )
        }
        if branches.unknownMembers { members["ring"] = FlowResponse.unknownMember }
        return members
    }
}
