// Licensed under the MIT License. See LICENSE.

public import Foundation

/// A decision of the Conditional Access policies.
public struct SignInDecision: Sendable {
    /// The result of one policy.
    public struct Outcome: Sendable, Equatable {
        /// The policy's name.
        public let policy: String
        /// Whether the policy is enforced or only reported.
        public let mode: EmulatorDirectory.AccessPolicy.Mode
        /// Whether the sign-in satisfied all requirements of the policy.
        public let isSatisfied: Bool
    }

    /// The emulated time.
    public let date: Date
    /// The user principal name; empty if an agent asked for a token for itself.
    public let user: String
    /// The client ID of the application or the agent.
    public let application: String
    /// The client ID of the agent's blueprint; `nil` for an application.
    public let agentBlueprint: String?
    /// The client ID of the API.
    public let api: String
    /// The client's address; `nil` if unknown.
    public let address: String?
    /// The results of the policies that applied.
    public let outcomes: [Outcome]
    /// The AADSTS number of the error; `nil` if tokens were issued.
    public let number: Int?
    /// The reason of the decision, in one sentence for developers.
    public let reason: String
    /// The ID of the sign-in in which the decision was made; `nil` for a request without pages.
    let signInID: String?
}

/// The decisions of the policies.
typealias SignInLog = RecentList<SignInDecision>

extension SignInDecision {
    init(_ request: AccessRequest, outcomes: [Outcome], error: EntraError?) {
        date = request.now
        user = request.user.userPrincipalName
        application = request.client.clientID
        agentBlueprint = request.client.agent?.blueprintID
        api = request.audience
        address = request.address
        self.outcomes = outcomes
        number = error?.number
        reason = error?.message ?? "Tokens were issued."
        signInID = request.signInID
    }

    /// Whether the other decision repeats this one, as each page of a sign-in does.
    func isRepeated(by other: SignInDecision) -> Bool {
        signInID == other.signInID && number == other.number && user == other.user
    }
}
