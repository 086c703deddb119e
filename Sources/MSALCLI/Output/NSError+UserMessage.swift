// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

extension NSError {
    /// The library's description of the error.
    var text: String { userInfo[MSALErrorDescriptionKey] as? String ?? localizedDescription }

    /// The second number of an error with the code -50000.
    var internalError: MSALInternalError? {
        (userInfo[MSALInternalErrorCodeKey] as? NSNumber).flatMap { MSALInternalError(rawValue: $0.intValue) }
    }

    /// The library's description for people. The service's text ends with ids and a time. They are left out, because
    /// the report shows them itself.
    var userMessage: String {
        let cut = text.range(of: " Trace ID: ")?.lowerBound ?? text.firstIndex(where: \.isNewline) ?? text.endIndex
        var message = String(text[..<cut])
        if isForgottenPassword { message = "The user chose \"forgotten password\". " + message }
        let status = (userInfo[MSALHTTPResponseCodeKey] as? String).map { "HTTP status \($0)" }
        let names = ([status] + numbers.map { "AADSTS\($0)" }).compactMap(\.self)
        let untold = names.filter { !message.contains($0) }
        return untold.isEmpty ? message : "\(message) (\(untold.joined(separator: ", ")))"
    }

    /// The numbers after `AADSTS…`, if the service reported the error.
    var numbers: [Int] { (userInfo[MSALSTSErrorCodesKey] as? [NSNumber])?.map(\.intValue) ?? [] }

    /// Whether the service refused the identity broker because of the app's registration. If the service refuses the
    /// library's own redirect URI, the error is another one.
    var isOfBrokersRegistration: Bool {
        internalError == .internalErrorInvalidParameter && !Set(numbers).isDisjoint(with: [50_011, 7_000_218])
    }

    /// The reason for which the token store failed; `nil` if it did not fail.
    var storeFailure: MSALTokenStoreFailure? { userInfo[MSALTokenStoreFailureKey] as? MSALTokenStoreFailure }

    /// Whether the error names claims that a new sign-in must request.
    var asksForClaims: Bool { userInfo[MSALOAuthClaimsKey] != nil }

    /// Whether the user asked a B2C page for a new password. That is not a cancellation. Only this number in the text
    /// shows it: Microsoft's page "Set up a password reset flow in Azure Active Directory B2C".
    var isForgottenPassword: Bool { text.hasPrefix("AADB2C90118") }
}
