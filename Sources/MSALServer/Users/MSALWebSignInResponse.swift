// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// The service's response to a sign-in, sent through the browser: a code or an error (RFC 6749 §4.1.2).
///
/// Its description does not contain the code.
public struct MSALWebSignInResponse: Sendable, CustomStringConvertible, ServerRedactedReflection {
    private let parameters: FormParameters
    package let mode: MSALWebSignInParameters.ResponseMode

    /// Parses the body of a form that the browser posted (`application/x-www-form-urlencoded`).
    ///
    /// - Throws: `.invalidSignInResponse` if it is larger than 64 KiB, malformed, or has a duplicate parameter.
    public init(formBody: some Collection<UInt8>) throws(MSALTokenError) {
        try self.init(formBody, mode: .formPost)
    }

    /// Parses the query of the URL that the browser was redirected to, still percent-encoded and without the `?`.
    ///
    /// - Throws: `.invalidSignInResponse` if it is larger than 64 KiB, malformed, or has a duplicate parameter.
    public init(query: String) throws(MSALTokenError) { try self.init(query.utf8, mode: .query) }

    private init(
        _ text: some Collection<UInt8>,
        mode: MSALWebSignInParameters.ResponseMode
    ) throws(MSALTokenError) {
        do throws(FormParameters.Fault) {
            parameters = try FormParameters(text)
        } catch {
            switch error {
            case .tooLarge: throw Self.fault("It is larger than \(FormParameters.maximumBytes) bytes.")
            case .malformed: throw Self.fault("It is malformed.")
            case .tooMany: throw Self.fault("It has too many parameters.")
            case .repeated: throw Self.fault("It has a duplicate parameter.")
            }
        }
        self.mode = mode
    }

    /// The state, with which an application finds the request that it kept. It is untrusted input.
    public var state: String? { self["state"] }

    /// A parameter; `nil` if it is absent or empty, which is the same (RFC 6749 §3.1).
    package subscript(name: String) -> String? { parameters[name] }

    /// Whether it contains a code or an error.
    public var description: String {
        "MSALWebSignInResponse(\(self["error"] != nil ? "error" : self["code"] != nil ? "code" : "neither"))"
    }

    private static func fault(_ text: String) -> MSALTokenError {
        MSALTokenError(
            .invalidSignInResponse,
            message: "The response to the sign-in cannot be read. \(text) Start the sign-in again."
        )
    }
}
