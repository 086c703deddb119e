// Licensed under the MIT License. See LICENSE.

/// The service's error, whole, whatever the library makes of it. Linux only.
public struct MSALNativeAuthServerError: Sendable, Hashable {
    /// The HTTP status of the response, nearly always 400 or 401.
    public let status: Int
    /// The error's name, such as `invalid_grant`.
    public let error: String
    /// The details of the name, such as `password_too_weak`.
    public let suberror: String?
    /// Words for developers, in English. They may name the user.
    public let errorDescription: String?
    /// The numbers behind `AADSTS…`.
    public let errorCodes: [Int]
    /// A page about the error.
    public let errorUri: String?
    /// The id of the request in the service's logs.
    public let traceId: String?
    /// When it happened by the service's clock, as the service writes it: `2025-01-31 10:15:00Z`.
    public let timestamp: String?
    /// The correlation id as the service repeats it in the error.
    public let correlationId: String?
    /// The names of the attributes whose values the service refused.
    public let invalidAttributes: [String]
    /// The names of the attributes that wait for verification.
    public let unverifiedAttributes: [String]

    package init(_ error: NativeAuth.ServerError) {
        status = error.status
        self.error = error.error
        suberror = error.suberror
        errorDescription = error.description
        errorCodes = error.codes
        errorUri = error.uri
        traceId = error.traceID
        timestamp = error.timestamp
        correlationId = error.correlationID
        invalidAttributes = error.invalidAttributes
        unverifiedAttributes = error.unverifiedAttributes
    }
}
