// Licensed under the MIT License. See LICENSE.

import Foundation

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
