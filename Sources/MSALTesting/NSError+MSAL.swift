// Licensed under the MIT License. See LICENSE.

public import Foundation
public import MSAL

extension NSError {
    /// An error of a call, as an app gets it.
    ///
    /// ``MSALError/internal`` has the detail -42008, unless `details` name another; see
    /// ``msal(detail:description:details:)``.
    ///
    /// - Parameters:
    ///   - error: The code.
    ///   - description: The cause, in words.
    ///   - details: More of `userInfo`, such as the result under `MSALInvalidResultKey`.
    /// - Returns: The error.
    public static func msal(
        _ error: MSALError,
        description: String = "A test made this error up.",
        details: [String: Any] = [:]
    ) -> NSError {
        var userInfo: [String: Any] = [
            MSALErrorDescriptionKey: description,
            NSLocalizedDescriptionKey: description,
            MSALCorrelationIDKey: UUID().uuidString,
        ]
        if error == .internal {
            userInfo[MSALInternalErrorCodeKey] = NSNumber(value: MSALInternalError.internalErrorUnexpected.rawValue)
        }
        return NSError(domain: MSALErrorDomain, code: error.rawValue, userInfo: userInfo.merging(details) { $1 })
    }

    /// The error ``MSALError/internal`` with a detail, as an app gets it.
    ///
    /// - Parameters:
    ///   - detail: The detail.
    ///   - description: The cause, in words.
    ///   - details: More of `userInfo`.
    /// - Returns: The error.
    public static func msal(
        detail: MSALInternalError,
        description: String = "A test made this error up.",
        details: [String: Any] = [:]
    ) -> NSError {
        let number: [String: Any] = [MSALInternalErrorCodeKey: NSNumber(value: detail.rawValue)]
        return msal(.internal, description: description, details: number.merging(details) { $1 })
    }
}
