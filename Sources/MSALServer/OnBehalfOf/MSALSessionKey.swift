// Licensed under the MIT License. See LICENSE.

package import MSALBase

/// The name of a long-running session, in which work goes on for a user whose token has ended.
///
/// It is a secret: whoever has it gets tokens of the user. Keep it beside the work, for instance in the row of a job,
/// in a place that only the service can read. Its description does not show it.
public struct MSALSessionKey: Sendable, Hashable, CustomStringConvertible, ServerRedactedReflection {
    package let secret: Secret

    /// A key of the application's own.
    ///
    /// Nobody must be able to guess it: the id of an order will not do, nor that of a user.
    ///
    /// - Parameter text: 16 bytes at least, and 1024 at most.
    /// - Throws: `.configuration` for a shorter or longer text.
    public init(_ text: String) throws(MSALTokenError) {
        guard Self.lengths.contains(text.utf8.count) else {
            throw MSALTokenError(
                .configuration,
                message:
                    "A session key has \(Self.lengths.lowerBound) to \(Self.lengths.upperBound) bytes, which nobody "
                    + "can guess. Leave it out, and the library makes one."
            )
        }
        secret = Secret(text)
    }

    /// A key out of 256 random bits.
    package init(random: (Int) -> [UInt8]) {
        secret = Secret(Base64URL.encode(random(32)))
    }

    /// The key as text, to be kept. It is a secret.
    public var text: String { secret.exposed }

    /// A text without the key.
    public var description: String { "MSALSessionKey(\(secret))" }

    private static let lengths = 16...1024
}

/// The start of a long-running session.
public struct MSALLongRunningStart: Sendable {
    /// The first token of the session.
    public let token: MSALTokenResult
    /// The key under which the session goes on. It is a secret.
    public let session: MSALSessionKey
}
