// Licensed under the MIT License. See LICENSE.

/// The failure of an operation of native authentication.
///
/// Each operation has its own subclass, whose flags say what to do; if none is set, the failure is a general one: show
/// ``errorDescription``, or sign in another way. Objects never change and may be used from any thread.
public class MSALNativeAuthError: NSObject, LocalizedError, @unchecked Sendable {
    // `Sendable` is unchecked only because the class has subclasses, all in this module: they hold constants of
    // Sendable types.
    let failure: NativeAuthFailure

    package init(_ failure: NativeAuthFailure) {
        self.failure = failure
    }

    /// The service's words, or a short English text where it gave none. Not meant for comparing.
    public var errorDescription: String? { failure.errorDescription }

    /// The id by which the service's logs know the operation; quote it when asking for help.
    public var correlationId: UUID { failure.correlationID }

    /// The numbers behind `AADSTS…`, in the service's order; empty if there are none.
    public var errorCodes: [Int] { failure.codes }

    /// A page about the error, if the service names one.
    public var errorUri: String? { failure.errorURI }

    /// Tells the class, the codes and the correlation id, not the service's words, which may name the user.
    public override var description: String {
        "\(type(of: self))(codes: \(errorCodes), correlationId: \(correlationId))"
    }
}

// MARK: - Linux only

extension MSALNativeAuthError {
    /// The service's own error, whole, also where text, codes and flags leave something out; `nil` if the failure is
    /// not one that the service reported.
    public var serverError: MSALNativeAuthServerError? { failure.serverError.map(MSALNativeAuthServerError.init) }

    /// The failure beneath, if no response came or it could not be used: in `NSURLErrorDomain` for the network, else in
    /// ``MSALErrorDomain``.
    public var underlyingError: NSError? { failure.underlying?.nsError }
}
