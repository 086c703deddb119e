// Licensed under the MIT License. See LICENSE.

package import MSALBase

/// The key of a long-running session, in which work continues for a user whose token has expired.
///
/// It is a secret: anyone who has it can get tokens of the user. Store it with the work, for instance in the row of a
/// job, where only the service can read it. Its description does not contain it.
public struct MSALSessionKey: Sendable, Hashable, CustomStringConvertible, ServerRedactedReflection {
    package let secret: Secret

    /// Creates a key from text that the application chose.
    ///
    /// The text must be unguessable: the id of an order or of a user is not sufficient.
    ///
    /// - Parameter text: 16 to 1024 bytes.
    /// - Throws: `.configuration` for a shorter or longer text.
    public init(_ text: String) throws(MSALTokenError) {
        guard Self.lengths.contains(text.utf8.count) else {
            throw MSALTokenError(
                .configuration,
                message:
                    "A session key has \(Self.lengths.lowerBound) to \(Self.lengths.upperBound) bytes, and must be "
                    + "unguessable. Omit it, and the library generates one."
            )
        }
        secret = Secret(text)
    }

    /// A key out of 256 random bits.
    package init(random: (Int) -> [UInt8]) { secret = Secret(Base64URL.encode(random(32))) }

    /// The key as text, for storage. It is a secret.
    public var text: String { secret.exposed }

    /// A description without the key.
    public var description: String { "MSALSessionKey(\(secret))" }

    private static let lengths = 16...1024
}

/// The result of starting a long-running session.
public struct MSALLongRunningStart: Sendable {
    /// The first token of the session.
    public let token: MSALTokenResult
    /// The key of the session. It is a secret.
    public let session: MSALSessionKey
}
