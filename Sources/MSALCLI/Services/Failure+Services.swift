// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALServer

extension Failure {
    /// The failure of a token request for an application or a machine. The message has the remedy if the library knows
    /// one.
    init(_ error: MSALTokenError) {
        let lines = error.message.split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        self.init(status: Self.status(error.kind), code: error.code, message: lines.first ?? "No token was given.")
        details = Array(lines.dropFirst())
        remedy = error.serviceCodes.first.map(ServiceRemedy.explanation)
        correlationID = error.correlationID?.uuidString
        serviceCodes = error.serviceCodes
        claims = error.claims
    }

    private static func status(_ kind: MSALTokenError.Kind) -> CommandExit {
        switch kind {
        case .configuration, .invalidCredential, .invalidCertificate, .invalidScopes, .tenantRequired,
            .tenantNotAllowed,
            .userAssignedNotSupported, .certificateRequired, .notSupportedInCloud:
            .usage
        case .interactionRequired, .consentRequired: .interactionRequired
        case .network, .serviceUnavailable: .network
        case .cancelled: .canceled
        default: .failed
        }
    }
}
