// Licensed under the MIT License. See LICENSE.

public import Foundation

/// One decision of the policies.
public struct SignInDecision: Sendable {
    /// The result of one policy.
    public struct Outcome: Sendable, Equatable {
        /// The policy's name.
        public let policy: String
        /// Whether the policy is enforced, or only reports.
        public let mode: EmulatorDirectory.AccessPolicy.Mode
        /// Whether the sign-in had every proof that the policy asks for.
        public let isSatisfied: Bool
    }

    /// The emulated time.
    public let date: Date
    /// The user principal name.
    public let user: String
    /// The client id of the application.
    public let application: String
    /// The client id of the API.
    public let api: String
    /// The client's address; `nil` where it is not known.
    public let address: String?
    /// The results of the policies that applied.
    public let outcomes: [Outcome]
    /// The AADSTS number of the refusal; `nil` where tokens were given.
    public let number: Int?
    /// The reason of the decision, in one sentence for a developer.
    public let reason: String
}

/// The decisions of the policies.
typealias SignInLog = RecentList<SignInDecision>

extension SignInDecision {
    init(_ request: AccessRequest, outcomes: [Outcome], error: EntraError?) {
        date = request.now
        user = request.user.userPrincipalName
        application = request.client.clientID
        api = request.audience
        address = request.address
        self.outcomes = outcomes
        number = error?.number
        reason = error?.message ?? "Tokens are given."
    }
}
