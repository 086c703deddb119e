// Licensed under the MIT License. See LICENSE.

import Foundation

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

/// The errors that Himmelblau reports, as texts without numbers.
///
/// `Tests/Fixtures/Himmelblau` contains the texts and their sources, and a test compares them.
enum HimmelblauFailure: String, Sendable, CaseIterable {
    case notImplemented = "Not implemented"
    case unknownAccount = "Unable to find account"
    case otherUser = "Invalid request for user!"
    case missingAccount = "Missing account"
    case noToken = "Failed to authenticate user"
    case noCookie = "Failed to fetch prt sso cookie"
    case unreadable = #"Error("expected value", line: 1, column: 1)"#
    case missingMember = #"Error("missing field `authParameters`", line: 1, column: 2)"#
    case missingUsername = "Missing account username in request"
    case failedPrompt = "Interactive authentication failed: PAM_CRED_INSUFFICIENT"

    /// Whether Himmelblau reports it as an error on the bus. Its session process does so for problems with the user.
    /// Its daemon reports an error in a response.
    var isBusError: Bool { self == .missingUsername || self == .failedPrompt }

    /// The text about another member.
    static func missing(_ member: String) -> String {
        missingMember.rawValue.replacingOccurrences(of: "authParameters", with: member)
    }
}
