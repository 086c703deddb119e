// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// The response that the service sent back with the browser: a code or an error (RFC 6749 §4.1.2).
///
/// Its description holds no code.
public struct MSALWebSignInResponse: Sendable, CustomStringConvertible, ServerRedactedReflection {
    private let parameters: [String: Secret]
    package let mode: MSALWebSignInParameters.ResponseMode

    /// Reads the body of a form that the browser posted (`application/x-www-form-urlencoded`).
    ///
    /// - Throws: `.invalidSignInResponse` if it is larger than 64 KiB, not well formed, or names a parameter twice.
    public init(formBody: some Collection<UInt8>) throws(MSALTokenError) {
        try self.init(formBody, mode: .formPost)
    }

    /// Reads the query of the address that the browser was redirected to, still percent-encoded and without the `?`.
    ///
    /// - Throws: `.invalidSignInResponse` if it is larger than 64 KiB, not well formed, or names a parameter twice.
    public init(query: String) throws(MSALTokenError) {
        try self.init(query.utf8, mode: .query)
    }

    private init(
        _ text: some Collection<UInt8>,
        mode: MSALWebSignInParameters.ResponseMode
    ) throws(MSALTokenError) {
        guard text.count <= Self.maximumBytes else { throw Self.fault("It is larger than \(Self.maximumBytes) bytes.") }
        var parameters: [String: Secret] = [:]
        for part in text.split(separator: UInt8(ascii: "&")) {
            let pair = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = String(formEncoded: pair[0]),
                let value = pair.count > 1 ? String(formEncoded: pair[1]) : ""
            else {
                throw Self.fault("It is not well formed.")
            }
            guard parameters.count < Self.maximumCount else { throw Self.fault("It has too many parameters.") }
            // A repeated parameter is an error (RFC 6749 §3.1): two readers might take different ones.
            guard parameters.updateValue(Secret(value), forKey: name) == nil else {
                throw Self.fault("It names a parameter twice.")
            }
        }
        self.parameters = parameters
        self.mode = mode
    }

    /// The state, by which an application finds the request that it kept. A stranger may have sent it.
    public var state: String? { self["state"] }

    /// A parameter; `nil` if it is absent or empty, which is the same (RFC 6749 §3.1).
    package subscript(name: String) -> String? {
        parameters[name].flatMap { $0.exposed.isEmpty ? nil : $0.exposed }
    }

    /// Whether it brings a code or an error.
    public var description: String {
        "MSALWebSignInResponse(\(self["error"] != nil ? "error" : self["code"] != nil ? "code" : "neither"))"
    }

    private static let maximumBytes = 64 << 10
    private static let maximumCount = 64

    private static func fault(_ text: String) -> MSALTokenError {
        MSALTokenError(
            .invalidSignInResponse,
            message: "The response to the sign-in cannot be read. \(text) Begin the sign-in again."
        )
    }
}
