// Licensed under the MIT License. See LICENSE.

public import Foundation
package import MSALBase
package import MSALCore

/// A downstream API that a service calls as itself or on behalf of the user of the current request.
///
/// It acquires a token for each request, from the cache if possible, and sends it only to this API.
///
/// ```swift
/// let stock = try MSALDownstreamAPI(
///     baseURL: URL(string: "https://stock.contoso.example")!,
///     scopes: ["api://stock/Stock.Read"],
///     as: .user(application, principal)
/// )
/// let items = try await stock.json([String].self, from: "items")
/// ```
public struct MSALDownstreamAPI: Sendable, ServerRedactedReflection {
    /// The identity used to call an API.
    public enum Caller: Sendable {
        /// The application itself, or a managed identity, calls the API.
        case application(any MSALTokenCredential)
        /// As the user of a request, whose token was checked.
        case user(MSALConfidentialClientApplication, MSALPrincipal)

        fileprivate var configuration: MSALConfidentialClientConfiguration? {
            switch self {
            case .application(let credential): (credential as? MSALConfidentialClientApplication)?.configuration
            case .user(let application, _): application.configuration
            }
        }
    }

    private let address: DownstreamAddress
    private let scopes: [String]
    private let caller: Caller
    private let transport: any HTTPTransport
    private let time: any TimeSource

    /// Creates a downstream API.
    ///
    /// - Parameters:
    ///   - baseURL: The API's base URL: https, or http on this machine.
    ///   - scopes: The scopes of the tokens: `<resource>/.default` for an application, permissions for a user.
    ///   - caller: The identity used to call the API. The API is called through the proxy of its application.
    ///   - caFile: A PEM file with additional certificate authorities to trust; `nil` selects the `caFile` of the
    ///     calling application.
    /// - Throws: `.configuration` if the base URL cannot be used.
    public init(baseURL: URL, scopes: [String], as caller: Caller, caFile: URL? = nil) throws(MSALTokenError) {
        var options = MSALCredentialOptions()
        options.caFile = caFile ?? caller.configuration?.caFile
        options.proxy = caller.configuration?.proxy ?? .environment
        let environment = ServerEnvironment.system(options)
        try self.init(
            baseURL: baseURL,
            scopes: scopes,
            as: caller,
            transport: environment.transport,
            time: environment.time
        )
    }

    package init(
        baseURL: URL,
        scopes: [String],
        as caller: Caller,
        transport: any HTTPTransport,
        time: any TimeSource
    ) throws(MSALTokenError) {
        address = try DownstreamAddress(baseURL)
        self.scopes = scopes
        self.caller = caller
        self.transport = transport
        self.time = time
    }

    /// Sends a request with a token and returns the response, whatever its status.
    ///
    /// If the API responds with 401 and claims, an application acquires a new token with these claims and the request
    /// is sent once more. For a user, the claims become a challenge, because only the user can satisfy them. Nothing
    /// else is retried, and redirects are not followed.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - timeout: The time limit of the whole call, including token acquisition.
    /// - Returns: The response, also if its status indicates an error.
    /// - Throws: `.invalidRequest` before anything is sent; `.noToken`; `.challenge`, which is to be passed on to the
    ///   caller; `.redirected`; `.responseTooLarge`; `.network`; `.cancelled`.
    public func response(
        to request: MSALDownstreamRequest,
        timeout: Duration = .seconds(30)
    ) async throws(MSALDownstreamError) -> MSALDownstreamResponse {
        let end = time.uptime + timeout
        try DownstreamHeaders.check(request.headers)
        guard !request.method.isEmpty, request.method.utf8.allSatisfy(\.isOfHTTPToken) else {
            throw .invalidRequest("The method is invalid in HTTP.")
        }
        let address = try address.address(of: request)
        let first = try await send(request, to: address, claims: nil, until: end)
        guard first.status == 401, let claims = Self.claims(in: first) else { return MSALDownstreamResponse(first) }
        switch caller {
        case .user:
            throw MSALDownstreamError(
                .challenge,
                message: "The API requires the user to sign in again. Pass the challenge on to the caller.",
                challenge: MSALClaimsChallenge(passingOn: claims),
                response: MSALDownstreamResponse(first)
            )
        case .application:
            return MSALDownstreamResponse(try await send(request, to: address, claims: claims, until: end))
        }
    }

    /// Sends a GET request and decodes the JSON response (RFC 8259).
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - path: As ``MSALDownstreamRequest/path``.
    ///   - limit: The maximum response size in bytes.
    /// - Returns: The value.
    /// - Throws: The errors of ``response(to:timeout:)``; `.refused` if the status is not a success; `.unreadable` if
    ///   the response cannot be decoded as the type.
    public func json<T: Decodable>(
        _ type: T.Type,
        from path: String,
        limit: Int = 4 << 20
    ) async throws(MSALDownstreamError) -> T {
        var request = MSALDownstreamRequest(path: path)
        request.headers["Accept"] = "application/json"
        request.responseLimit = limit
        let response = try await response(to: request)
        guard response.isSuccess else {
            throw MSALDownstreamError(
                .refused,
                message: "The API responded with HTTP status \(response.status).",
                response: response
            )
        }
        do {
            return try JSONDecoder().decode(type, from: response.body)
        } catch {
            // The decoder's error may repeat parts of the response.
            let hint = JSONValue(parsing: response.body) == nil ? " \(HTTPResponse.portalHint)" : ""
            throw MSALDownstreamError(
                .unreadable,
                message: "The API's response is not a \(type) in JSON (\(response.body.count) bytes).\(hint)",
                response: response
            )
        }
    }

    private func send(
        _ request: MSALDownstreamRequest,
        to address: HTTPAddress,
        claims: String?,
        until end: Duration
    ) async throws(MSALDownstreamError) -> HTTPResponse {
        let token = try await token(claims: claims, until: end)
        var message = HTTPMessage(method: request.method, to: address, headers: request.headers, body: request.body)
        message.headers["Authorization"] = token.authorizationHeader
        message.maximumResponseBytes = max(request.responseLimit, 0)
        message.repetition = .never
        message.timeout = try rest(until: end)
        let response: HTTPResponse
        do throws(TransportError) {
            response = try await transport.send(message)
        } catch {
            throw MSALDownstreamError(error)
        }
        if (300...399).contains(response.status), let location = response[header: "Location"],
            self.address.isElsewhere(location, from: address.url)
        {
            throw MSALDownstreamError(
                .redirected,
                message: "The API redirects to another server. The token was not sent there.",
                response: MSALDownstreamResponse(response)
            )
        }
        return response
    }

    private func token(claims: String?, until end: Duration) async throws(MSALDownstreamError) -> MSALTokenResult {
        var options = MSALTokenOptions()
        options.claims = claims
        options.timeout = try rest(until: end)
        do throws(MSALTokenError) {
            switch caller {
            case .application(let credential):
                return try await credential.token(for: MSALTokenRequest(scopes: scopes, options: options))
            case .user(let application, let principal):
                return try await application.acquireTokenOnBehalfOf(
                    principal.validatedToken,
                    scopes: scopes,
                    options: options
                )
            }
        } catch {
            throw MSALDownstreamError(error, challenge: challenge(for: error))
        }
    }

    /// The challenge that the caller has to satisfy; `nil` if the caller can do nothing about the failure.
    private func challenge(for failure: MSALTokenError) -> MSALClaimsChallenge? {
        guard case .user = caller else { return nil }
        return MSALClaimsChallenge(failure)
    }

    private func rest(until end: Duration) throws(MSALDownstreamError) -> Duration {
        let rest = end - time.uptime
        guard rest > .zero else {
            throw MSALDownstreamError(
                TransportError(.timedOut, message: "No response was received within the time limit of the call.")
            )
        }
        return rest
    }

    /// The claims of a challenge, if they are a JSON object.
    private static func claims(in response: HTTPResponse) -> String? {
        let headers = response[header: "WWW-Authenticate"].map { [$0] } ?? []
        guard let claims = AuthenticateChallenge.parse(headers).claimsChallenge,
            JSONValue(parsing: Data(claims.utf8))?.object != nil
        else { return nil }
        return claims
    }
}

/// The headers that a program may set in a request to another API.
enum DownstreamHeaders {
    /// - Throws: `.invalidRequest` for a malformed or repeated name, for a malformed value, and for a header that the
    ///   library sets.
    static func check(_ headers: [String: String]) throws(MSALDownstreamError) {
        var seen: Set<String> = []
        for (name, value) in headers {
            // A line break would begin another header.
            guard !name.isEmpty, name.utf8.allSatisfy(\.isOfHTTPToken) else {
                throw .invalidRequest("A header name is invalid in HTTP.")
            }
            guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") }) else {
                throw .invalidRequest("The header \(name) contains a control character, such as a line break.")
            }
            guard !own.contains(name.lowercased()) else {
                throw .invalidRequest("The header \(name) is set by the library. Remove it from the request.")
            }
            guard seen.insert(name.lowercased()).inserted else {
                throw .invalidRequest("The header \(name) is set twice.")
            }
        }
    }

    /// The headers that carry the token, choose the server, or mark the end of the request.
    private static let own: Set = [
        "authorization", "connection", "content-length", "host", "proxy-authorization", "te", "trailer",
        "transfer-encoding", "upgrade",
    ]
}
