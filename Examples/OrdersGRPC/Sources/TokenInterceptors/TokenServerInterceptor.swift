// Licensed under the MIT License. See LICENSE.

public import GRPCCore
public import MSALServer

/// The caller of the method that is being served.
public enum Caller {
    /// The caller; `nil` if no ``TokenServerInterceptor`` has validated a token.
    @TaskLocal public static var current: MSALPrincipal?
}

/// Lets calls with a valid access token through, and ends the others with a status and a challenge.
///
/// The method finds its caller in ``Caller/current``. Errors that it throws become a status, too: an `MSALTokenRejection`,
/// an `MSALClaimsChallenge`, and a rejected request for a token on behalf of the user or for another API.
public struct TokenServerInterceptor: ServerInterceptor {
    private let validator: MSALTokenValidator
    private let requirements: [String: MSALRequirement]

    /// An interceptor for all methods of a server.
    ///
    /// - Parameters:
    ///   - validator: The process's only validator.
    ///   - requirements: The requirements on a caller, by method. A method that is not listed is rejected.
    public init(_ validator: MSALTokenValidator, requirements: [MethodDescriptor: MSALRequirement]) {
        self.validator = validator
        // A descriptor of the server does not describe the streams; one of the service may.
        self.requirements = Dictionary(uniqueKeysWithValues: requirements.map { ($0.key.fullyQualifiedMethod, $0.value) })
    }

    public func intercept<Input: Sendable, Output: Sendable>(
        request: StreamingServerRequest<Input>,
        context: ServerContext,
        next: @Sendable (StreamingServerRequest<Input>, ServerContext) async throws -> StreamingServerResponse<Output>
    ) async throws -> StreamingServerResponse<Output> {
        guard let requirement = requirements[context.descriptor.fullyQualifiedMethod] else {
            throw RPCError(code: .permissionDenied, message: "This method cannot be called.")
        }
        let caller: MSALPrincipal
        do throws(MSALTokenRejection) {
            caller = try await validator.validate(
                authorization: Array(request.metadata[stringValues: "authorization"]),
                request: MSALRequestFacts(),
                requiring: requirement
            )
        } catch {
            throw RPCError(error)
        }
        let response = try await serving(caller) { try await next(request, context) }
        // A method produces its stream after it has returned.
        return StreamingServerResponse(
            accepted: response.accepted.map { contents in
                StreamingServerResponse.Contents(metadata: contents.metadata) { writer in
                    try await serving(caller) { try await contents.producer(writer) }
                }
            }
        )
    }
}

/// Runs a part of a method with its caller.
private func serving<Value>(_ caller: MSALPrincipal, _ part: () async throws -> Value) async throws -> Value {
    do {
        return try await Caller.$current.withValue(caller, operation: part)
    } catch {
        guard let rejection = MSALTokenRejection(error, for: caller) else { throw error }
        throw RPCError(rejection)
    }
}

extension RPCError {
    /// The status of a rejected call. The challenges are in the trailing metadata, like those in an HTTP response's header.
    fileprivate init(_ rejection: MSALTokenRejection) {
        let code: RPCError.Code
        let message: String
        switch rejection.status {
        case 403: (code, message) = (.permissionDenied, "The caller lacks permission.")
        case 503: (code, message) = (.unavailable, "Tokens cannot be validated now.")
        default: (code, message) = (.unauthenticated, "The call needs a valid access token.")
        }
        var metadata = Metadata()
        for value in rejection.authenticate { metadata.addString(value, forKey: "www-authenticate") }
        if let pause = rejection.retryAfter {
            // Clients with a retry policy wait this number of milliseconds (gRFC A6, "Pushback").
            metadata.addString("\(pause.components.seconds * 1000)", forKey: "grpc-retry-pushback-ms")
        }
        self.init(code: code, message: message, metadata: metadata)
    }
}
