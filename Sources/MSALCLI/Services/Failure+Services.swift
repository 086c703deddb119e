// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALServer

extension Failure {
    /// The failure of a token request for an application or a machine. The message has the remedy if the library knows
    /// one.
    init(_ error: MSALTokenError) {
        let lines = error.message.split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        let advice = ServiceRemedy(codes: error.serviceCodes)
        self.init(
            status: Self.status(error, advice: advice),
            code: error.code,
            message: lines.first ?? "No token was returned."
        )
        details = Array(lines.dropFirst())
        remedy = advice?.textForApplication ?? error.serviceCodes.first.map(ServiceRemedy.explanation)
        correlationID = error.correlationID?.uuidString
        serviceCodes = error.serviceCodes
        claims = error.claims
    }

    private static func status(_ error: MSALTokenError, advice: ServiceRemedy?) -> CommandExit {
        // A user's command has this status for the same mistake.
        if let advice, [.tenantName, .tenant, .host].contains(advice) { return .usage }
        switch error.kind {
        case .configuration, .invalidCredential, .invalidCertificate, .invalidScopes, .tenantRequired,
            .tenantNotAllowed,
            .userAssignedNotSupported, .certificateRequired, .notSupportedInCloud:
            return .usage
        case .interactionRequired, .consentRequired:
            let isFixedBySignIn = error.claims != nil || advice?.isSignIn ?? true
            return isFixedBySignIn ? .interactionRequired : .failed
        case .network, .serviceUnavailable: return .network
        case .cancelled: return .canceled
        default: return .failed
        }
    }
}
