// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

extension NSError {
    /// The library's text.
    var text: String { userInfo[MSALErrorDescriptionKey] as? String ?? localizedDescription }

    /// The number that an error with the code -50000 has besides.
    var internalError: MSALInternalError? {
        (userInfo[MSALInternalErrorCodeKey] as? NSNumber).flatMap { MSALInternalError(rawValue: $0.intValue) }
    }

    /// The library's text for people. The service's own words end with ids and a time, which the report shows in its own way.
    var words: String {
        let cut = text.range(of: " Trace ID: ")?.lowerBound ?? text.firstIndex(where: \.isNewline) ?? text.endIndex
        var message = String(text[..<cut])
        if isForgottenPassword { message = "The user chose \"forgotten password\". " + message }
        let status = (userInfo[MSALHTTPResponseCodeKey] as? String).map { "HTTP status \($0)" }
        let names = ([status] + numbers.map { "AADSTS\($0)" }).compactMap(\.self)
        let untold = names.filter { !message.contains($0) }
        return untold.isEmpty ? message : "\(message) (\(untold.joined(separator: ", ")))"
    }

    /// The numbers behind `AADSTS…`, where the service reported the error.
    var numbers: [Int] { (userInfo[MSALSTSErrorCodesKey] as? [NSNumber])?.map(\.intValue) ?? [] }

    /// Whether an identity broker was refused because of the app's registration. The library's own redirect URI is refused
    /// with another error.
    var isOfBrokersRegistration: Bool {
        internalError == .internalErrorInvalidParameter && !Set(numbers).isDisjoint(with: [50_011, 7_000_218])
    }

    /// Why the token store failed, if it did.
    var storeFailure: MSALTokenStoreFailure? { userInfo[MSALTokenStoreFailureKey] as? MSALTokenStoreFailure }

    /// Whether the service says which claims a sign-in must have.
    var asksForClaims: Bool { userInfo[MSALOAuthClaimsKey] != nil }

    /// Whether the user asked a B2C page for a new password, which is no cancellation. B2C reports it by this number
    /// alone: Microsoft's page "Set up a password reset flow in Azure Active Directory B2C".
    var isForgottenPassword: Bool {
        text.hasPrefix("AADB2C90118")
    }
}
