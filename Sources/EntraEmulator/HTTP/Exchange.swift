// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird
import MSALBase
import NIOCore

/// A decoded request, with the IDs and the time of its response.
struct Exchange: Sendable {
    private(set) var method: HTTPRequest.Method
    private(set) var path: String
    private(set) var query: FormValues
    private(set) var form: FormValues
    private(set) var headers: HTTPFields
    /// `https://host[:port]` as the client addressed it, if the certificate covers that host; otherwise the emulator's
    /// own address. A regional host is replaced by the global host of its cloud.
    let base: String
    /// The public address, if the configuration has one.
    var publicURL: String?
    /// The client's `client-request-id` if it is a UUID, otherwise a new one.
    let correlationID: String
    /// New for each response.
    private(set) var traceID: String
    var now: Date
    /// `nil` if no client certificate is requested.
    var connection: ClientConnection?
    /// The address of the client, which may be behind a trusted proxy; `nil` if unknown.
    var clientAddress: String?

    /// The maximum size of a body, in bytes.
    static let bodyLimit = 64 * 1024

    /// The tenant in the path, as the client wrote it.
    var tenantInPath: String { path.split(separator: "/").first.map(String.init) ?? "" }

    /// The address for issuers and browsers.
    var publicBase: String { publicURL ?? base }

    /// The host of Microsoft Graph: this host, with the port. If the client used a host name of the service, the
    /// service's host name for Graph.
    var graphHost: String {
        let host = String(base.dropFirst("https://".count))
        return KnownHosts.graph(of: host) ?? host
    }

    /// The parameters of the query or the form: OpenID Connect allows both methods.
    var parameters: FormValues { method == .post ? form : query }

    /// The recipient of an error, which determines its format.
    enum Audience: Sendable {
        /// An error is JSON.
        case program
        /// An error is a page.
        case person
    }

    /// The recipient at an address without an endpoint: browsers announce that they accept a page.
    var audience: Audience { headers[.accept]?.lowercased().contains("text/html") == true ? .person : .program }

    /// The client ID of the request, in any of the usual forms. It is not verified.
    var presentedClientID: String? {
        if let id = parameters["client_id"] { return id }
        // RFC 7521 §4.2.
        if let assertion = form["client_assertion"] { return SignedToken(Secret(assertion))?.claims["sub"]?.string }
        // RFC 6749 §2.3.1.
        return basicText.flatMap { String($0.prefix { $0 != ":" }).removingPercentEncoding }
    }

    /// Checks that a single-page application redeems with the header `Origin`, and any other application without it.
    func checkOrigin(isSinglePage: Bool) throws(EntraError) {
        let origin = headers[.origin]
        if let origin, !isSinglePage { throw .crossOriginRedemption(origin) }
        if isSinglePage, origin == nil { throw .singlePageRedemption }
    }

    /// Whether a page of another site triggered the request in a browser (Fetch Metadata Request Headers §2.3).
    /// Programs do not send this header.
    var isFromOtherSite: Bool { headers[.secFetchSite] == "cross-site" }

    /// The value of a cookie; the first one if there are several with the name.
    func cookie(_ name: String) -> Secret? { headers.cookies(name).first }

    /// The scheme of an `Authorization` header, which is case-insensitive (RFC 9110 §11.1).
    enum AuthorizationScheme: String, Sendable {
        case basic = "Basic"
        case bearer = "Bearer"
        /// The token is part of a signed HTTP request.
        case proofOfPossession = "PoP"
        /// The token is sent over a connection with the certificate that it is bound to.
        case mutualTLS = "mtls_pop"
    }

    /// The credentials in the `Authorization` header if it has this scheme.
    func credentials(_ scheme: AuthorizationScheme) -> Secret? {
        let prefix = scheme.rawValue.lowercased() + " "
        guard let value = headers[.authorization], value.lowercased().hasPrefix(prefix) else { return nil }
        return Secret(value.dropFirst(prefix.count).trimmingCharacters(in: .whitespaces))
    }

    /// The decoded credentials of the scheme `Basic`: ID, colon, and secret (RFC 7617 §2). `nil` if they are not valid
    /// text.
    var basicText: String? {
        credentials(.basic).flatMap { Data(base64Encoded: $0.exposed) }.flatMap { String(data: $0, encoding: .utf8) }
    }

    /// `AADSTS<number>: …` with the IDs and the time, in the format of the service.
    func description(of error: EntraError) -> String {
        [
            "AADSTS\(error.number): \(error.message)", "Trace ID: \(traceID)", "Correlation ID: \(correlationID)",
            "Timestamp: \(timestamp)",
        ].joined(separator: " ")
    }

    /// The members of an error in the format of OAuth (RFC 6749 §5.2), with those that the service adds.
    func oauthMembers(of error: EntraError) -> [String: JSONValue] {
        var members: [String: JSONValue] = [
            "error": .string(error.error),
            "error_description": .string(description(of: error)),
            "error_codes": [.int(error.number)],
            "timestamp": .string(timestamp),
            "trace_id": .string(traceID),
            "correlation_id": .string(correlationID),
        ]
        if error.hasPage { members["error_uri"] = .string("\(base)/error?code=\(error.number)") }
        members["suberror"] = error.suberror.map { .string($0) }
        return members.merging(error.members) { own, _ in own }
    }

    /// The last part of every error message, in the format of the service.
    var timestamp: String { Self.serviceTime(now) }

    /// `YYYY-MM-DD HH:MM:SSZ`, UTC.
    static func serviceTime(_ date: Date) -> String {
        let text = date.formatted(.iso8601.dateSeparator(.dash).timeSeparator(.colon).dateTimeSeparator(.space))
        return text.hasSuffix("Z") ? text : text + "Z"
    }
}

extension Exchange {
    /// Creates an exchange from a request and its decoded parameters, without information about the connection.
    ///
    /// `requestedID`: The correlation ID from the client. It is only used if it is a UUID, because an arbitrary header
    /// must not reach the response.
    init(_ request: Request, query: FormValues?, form: FormValues?, base: String, requestedID: String?, now: Date) {
        method = request.method
        path = request.uri.path
        self.query = query ?? .empty
        self.form = form ?? .empty
        headers = request.headers
        self.base = base
        correlationID = (requestedID.flatMap(UUID.init(uuidString:)) ?? .random()).uuidString.lowercased()
        traceID = UUID.random().uuidString.lowercased()
        self.now = now
    }

    /// A request that was contained in this one. It has no form.
    func part(_ method: HTTPRequest.Method, path: String, query: FormValues, headers: HTTPFields) -> Exchange {
        var part = self
        (part.method, part.path, part.query, part.form, part.headers) = (method, path, query, .empty, headers)
        part.traceID = UUID.random().uuidString.lowercased()
        return part
    }
}

extension HTTPFields {
    /// The values of the cookies with a name.
    func cookies(_ name: String) -> [Secret] {
        self[values: .cookie].flatMap { $0.split(separator: ";") }.compactMap { pair in
            let halves = pair.split(separator: "=", maxSplits: 1)
            guard halves.count == 2, halves[0].trimmingCharacters(in: .whitespaces) == name else { return nil }
            return Secret(String(halves[1]))
        }
    }
}

extension HTTPField.Name {
    /// A field name from this file; every literal is a valid token.
    private static func named(_ text: String) -> HTTPField.Name { HTTPField.Name(text) ?? .date }

    static let clientRequestID = named("client-request-id")
    static let returnClientRequestID = named("return-client-request-id")
    static let requestID = named("x-ms-request-id")
    /// The same ID under Microsoft Graph's name.
    static let graphRequestID = named("request-id")
    static let consistencyLevel = named("ConsistencyLevel")
    static let xForwardedFor = named("X-Forwarded-For")
    static let xFrameOptions = named("X-Frame-Options")
    static let referrerPolicy = named("Referrer-Policy")
    static let pragma = named("Pragma")
    static let refresh = named("Refresh")
    static let secFetchSite = named("Sec-Fetch-Site")
}

extension Response {
    /// A JSON response.
    static func json(_ value: JSONValue, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: value.encoded()))
        )
    }

    /// A redirect; 303 after a POST, so that the browser follows with GET.
    static func redirect(to location: String, after method: HTTPRequest.Method) -> Response {
        Response(status: method == .post ? .seeOther : .found, headers: [.location: location])
    }
}

/// The parameter `resource` of RFC 8707, which clients of the Model Context Protocol send.
extension Exchange {
    /// Rejects a `resource` that names a different API than the scopes do. Version 2.0 determines the API only by the
    /// scopes, and since March 2026 the service rejects a contradictory request.
    ///
    /// - Throws: AADSTS9010010.
    func checkResource(fits scopes: RequestedScopes, in directory: ServedDirectory) throws(EntraError) {
        // OpenID Connect scopes do not belong to any API.
        if !scopes.permissions.isEmpty { try checkResource(isThatOf: scopes.audience, in: directory) }
    }

    /// Rejects a `resource` that names a different API than an app-only token request does.
    func checkResource(isThatOf audience: String, in directory: ServedDirectory) throws(EntraError) {
        guard !isVersion1, let resource = parameters["resource"] else { return }
        guard directory.api(identifier: resource)?.audience == audience else { throw .otherResource }
    }
}

/// The two versions of the endpoints (Microsoft identity platform, "Comparing the Microsoft identity platform and Azure
/// AD v1.0"): version 1.0 identifies an API by `resource`, version 2.0 permissions by `scope`.
extension Exchange {
    /// Whether an endpoint of version 1.0 was called.
    var isVersion1: Bool { !path.lowercased().contains("/v2.0/") }

    /// The scopes of a user's request. In version 1.0, they are all scopes that the user has consented to, and a
    /// refresh token.
    var scope: String? {
        guard isVersion1, parameters["scope"] == nil || parameters["resource"] != nil else {
            return parameters["scope"]
        }
        return ["openid profile offline_access", resourceScope].compactMap(\.self).joined(separator: " ")
    }

    /// The scopes of a user's request, which may name several APIs.
    ///
    /// `asksForConsent`: Whether it is an authorization request.
    /// - Throws: The errors of `RequestedScopes.parse`; AADSTS90009 if version 1.0 names the client itself by a URI;
    ///   AADSTS9010010 for another `resource`.
    func requestedScopes(
        of client: AppRegistration,
        in directory: ServedDirectory,
        asksForConsent: Bool = false
    ) throws(EntraError) -> RequestedScopes {
        var text = scope
        if isBelowPolicy {
            // Azure AD B2C, "Request an access token": the client ID is the scope of a token for the app itself.
            text = text?.split(separator: " ").map { client.isNamed($0) ? "\($0)/.default" : String($0) }
                .joined(separator: " ")
        }
        let scopes = try RequestedScopes.parse(
            text,
            in: directory,
            for: client.clientID,
            consenting: asksForConsent ? client : nil,
            passingOverUnknown: isVersion1 && parameters["resource"] == nil
        )
        if isVersion1, parameters["resource"] != nil, client.isNamedByURI(in: scopes) {
            throw .tokenForItself(client.clientID, named: client.displayName)
        }
        try checkResource(fits: scopes, in: directory)
        return scopes
    }

    /// The scopes of a user's request, which must belong to a single API.
    ///
    /// - Throws: As `requestedScopes(of:in:)`, and AADSTS28000.
    func scopesOfSingleAPI(
        of client: AppRegistration,
        in directory: ServedDirectory
    ) throws(EntraError) -> RequestedScopes {
        try requestedScopes(of: client, in: directory).ofSingleAPI(in: scope)
    }

    /// Whether the path or the parameter `p` names an Azure AD B2C policy.
    private var isBelowPolicy: Bool {
        TenantSegment(path: path.split(separator: "/").map(String.init), queryPolicy: parameters["p"])?.policy != nil
    }

    /// The scope of an app-only token request.
    var resourceScope: String? {
        guard isVersion1, let resource = parameters["resource"] else { return parameters["scope"] }
        return resource + "/.default"
    }

    /// The response with a token. In version 1.0, numbers are encoded as strings, and the response includes the API and
    /// the times.
    func tokenResponse(_ members: [String: JSONValue], resource: String?) throws -> Response {
        guard isVersion1, let lifetime = members["expires_in"]?.int else { return .json(.object(members)) }
        var members = members
        let start = Int(now.timeIntervalSince1970)
        members["not_before"] = .int(start)
        members["expires_on"] = .int(start + lifetime)
        members["resource"] = resource.map { .string($0) }
        return .json(.object(Self.withNumbersAsText(members)))
    }

    /// The members of a response of version 1.0, which encodes numbers as strings.
    static func withNumbersAsText(_ members: [String: JSONValue]) -> [String: JSONValue] {
        members.mapValues { value in value.int.map { .string(String($0)) } ?? value }
    }
}

extension AppRegistration {
    /// Whether a text is the client ID, regardless of case.
    func isNamed(_ name: some StringProtocol) -> Bool { name.lowercased() == clientID.lowercased() }

    /// Whether scopes belong to this application, but a URI names it instead of the client ID.
    func isNamedByURI(in scopes: RequestedScopes) -> Bool {
        isNamed(scopes.audience) && scopes.resourceName.map { !isNamed(API.plain($0)) } ?? false
    }
}
