// Licensed under the MIT License. See LICENSE.

public import Foundation
public import MSAL

extension NSError {
    /// Creates an error as an app receives it from a call.
    ///
    /// ``MSALError/internal`` has the detail -42008, unless `details` name another; see
    /// ``msal(detail:description:details:)``.
    ///
    /// - Parameters:
    ///   - error: The code.
    ///   - description: Describes the cause.
    ///   - details: More entries of `userInfo`, such as the result under `MSALInvalidResultKey`.
    /// - Returns: The error.
    public static func msal(
        _ error: MSALError,
        description: String = "This error was created by a test.",
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

    /// Creates the error ``MSALError/internal`` with a detail, as an app receives it.
    ///
    /// - Parameters:
    ///   - detail: The detail.
    ///   - description: Describes the cause.
    ///   - details: More entries of `userInfo`.
    /// - Returns: The error.
    public static func msal(
        detail: MSALInternalError,
        description: String = "This error was created by a test.",
        details: [String: Any] = [:]
    ) -> NSError {
        let number: [String: Any] = [MSALInternalErrorCodeKey: NSNumber(value: detail.rawValue)]
        return msal(.internal, description: description, details: number.merging(details) { $1 })
    }
}
