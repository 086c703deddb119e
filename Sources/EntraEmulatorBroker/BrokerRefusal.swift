// Licensed under the MIT License. See LICENSE.

/// An error that a broker reports in its response.
struct BrokerRefusal: Error, Sendable, Hashable {
    /// The status as Microsoft's own client interprets it; the emulated broker uses these.
    enum Status: Int, Sendable {
        case unexpected = 0
        case interactionRequired = 2
        case noNetwork = 3
        case serverTemporarilyUnavailable = 5
        case contractViolation = 6
        case userCanceled = 7
        case applicationCanceled = 8
        case incorrectConfiguration = 9
        case authorityUntrusted = 11
        case userSwitch = 12
        case accountSwitch = 16
        case deviceNotRegistered = 17
        case accountNotFound = 19
    }

    var status: Int
    /// What went wrong. If it was the service, this is the service's message.
    var context: String
    /// The OAuth error of the service.
    var oauthError: String?
    var suberror: String?
    /// The error in the format of Himmelblau, which has no status.
    var himmelblau: HimmelblauFailure
    /// Himmelblau's text, if it differs from the default text of the error.
    var himmelblauText: String?

    init(_ status: Status, context: String, himmelblau: HimmelblauFailure = .noToken) {
        self.init(status: status.rawValue, context: context, himmelblau: himmelblau)
    }

    init(status: Int, context: String, himmelblau: HimmelblauFailure = .noToken) {
        self.status = status
        self.context = context
        self.himmelblau = himmelblau
    }

    static func missing(_ member: String) -> BrokerRefusal {
        var refusal = BrokerRefusal(
            .contractViolation,
            context: "The request has no '\(member)'.",
            himmelblau: .missingMember
        )
        refusal.himmelblauText = HimmelblauFailure.missing(member)
        return refusal
    }
}
