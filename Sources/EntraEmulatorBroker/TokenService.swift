// Licensed under the MIT License. See LICENSE.

import AsyncHTTPClient
import EntraEmulator
import Foundation
import MSALBase
import NIOCore
import NIOHTTP1
import NIOSSL

/// The emulator's token endpoint, as called by the broker of a device.
struct TokenService: Sendable {
    private let emulator: Emulator
    /// Each call creates its own client from this, so that an emulated broker that is not shut down leaves nothing
    /// open.
    private let configuration: HTTPClient.Configuration

    /// - Throws: An error if the certificate file cannot be read.
    init(_ emulator: Emulator) throws {
        self.emulator = emulator
        var tls = TLSConfiguration.makeClientConfiguration()
        let authority = emulator.certificateAuthorityFile.path(percentEncoded: false)
        // Trust only the emulator's authority, because no other signs for it, and the system may have none.
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(authority))
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls, redirectConfiguration: .disallow)
        configuration.timeout = .init(connect: .seconds(5), read: .seconds(20))
        configuration.httpVersion = .http1Only
        // The emulator always listens on this address, so that no name server is needed (RFC 6761 §6.3).
        configuration.dnsOverride = ["localhost": "127.0.0.1"]
        self.configuration = configuration
    }

    /// Requests an app's tokens with the credential of a device.
    ///
    /// `confirmation`: The `kid` of the key to which the access token is bound; `nil` requests a bearer token.
    func tokens(
        _ request: TokenParameters,
        credential: String,
        confirmation: String?,
        correlationID: String
    ) async throws(BrokerRefusal) -> IssuedTokens {
        try checkAuthority(of: request)
        var form = [
            ("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"), ("request", credential),
            ("client_id", request.clientID), ("scope", request.scope), ("redirect_uri", request.redirectURI),
            ("client_info", "1"),
        ]
        if let claims = request.claims { form.append(("claims", claims)) }
        if let confirmation {
            form += [("token_type", "pop"), ("req_cnf", Data(#"{"kid":"\#(confirmation)"}"#.utf8).base64URL)]
        }
        let path = "\(request.tenant.percentEncoded())/oauth2/v2.0/token"
        let (status, body) = try await post(form, to: path, host: request.hostField, correlationID: correlationID)
        guard status == 200 else { throw refusal(body, status: status) }
        guard let tokens = IssuedTokens(body) else {
            throw BrokerRefusal(.unexpected, context: "The response of the token endpoint is invalid.")
        }
        return tokens
    }

    /// A broker sends the device's credential only to known clouds.
    private func checkAuthority(of request: TokenParameters) throws(BrokerRefusal) {
        let isHere = request.port == nil || request.port == 443 || request.port == emulator.port
        guard emulator.isNamed(request.host), isHere else {
            throw BrokerRefusal(
                .authorityUntrusted,
                context: "The authority \(request.hostField) is not one of the emulator's."
            )
        }
    }

    private func post(
        _ form: [(String, String)],
        to path: String,
        host: String,
        correlationID: String
    ) async throws(BrokerRefusal) -> (status: Int, body: JSONValue) {
        var message = HTTPClientRequest(url: "https://localhost:\(emulator.port)/\(path)")
        message.method = .POST
        message.headers.add(name: "Host", value: host)
        message.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        message.headers.add(name: "client-request-id", value: correlationID)
        message.body = .bytes(ByteBuffer(string: FormValues.encode(form)))
        do {
            return try await HTTPClient.withHTTPClient(configuration: configuration) { [message] client in
                let response = try await client.execute(message, timeout: .seconds(30))
                let body = try await response.body.collect(upTo: 1 << 20)
                return (Int(response.status.code), JSONValue(parsing: Data(body.readableBytesView)) ?? .null)
            }
        } catch {
            throw BrokerRefusal(.noNetwork, context: "The sign-in service does not respond.")
        }
    }

    private func refusal(_ body: JSONValue, status: Int) -> BrokerRefusal {
        guard let error = body["error"]?.nonEmptyString else {
            let kind = status >= 500 || status == 429 ? BrokerRefusal.Status.serverTemporarilyUnavailable : .unexpected
            return BrokerRefusal(kind, context: "The sign-in service responded with status \(status).")
        }
        let text = body["error_description"]?.nonEmptyString?.split(whereSeparator: \.isNewline).first.map(String.init)
        return BrokerRefusal(
            ServiceError(
                number: body["error_codes"]?.array?.first?.int ?? 0,
                error: error,
                suberror: body["suberror"]?.nonEmptyString,
                text: text ?? error
            )
        )
    }
}

extension BrokerRefusal {
    /// Translates the service's error for an app.
    init(_ error: ServiceError) {
        self.init(Self.status(of: error), context: error.text)
        oauthError = error.error
        suberror = error.suberror
    }

    private static func status(of error: ServiceError) -> Status {
        switch (error.number, error.error) {
        // An error in the app's registration: its redirect URI, its client ID, or its type.
        case (50_011, _), (500_117, _), (700_016, _), (7_000_218, _): .incorrectConfiguration
        // The user pressed Cancel.
        case (65_004, _): .userCanceled
        case (_, "invalid_grant"), (_, "interaction_required"), (_, "login_required"), (_, "consent_required"),
            (_, "access_denied"):
            .interactionRequired
        case (_, "temporarily_unavailable"): .serverTemporarilyUnavailable
        case (_, "invalid_instance"): .authorityUntrusted
        case (_, "invalid_tenant"): .incorrectConfiguration
        case (_, "invalid_scope"), (_, "invalid_resource"), (_, "invalid_request"): .contractViolation
        default: .unexpected
        }
    }
}

/// The tokens of a response.
struct IssuedTokens: Sendable {
    let accessToken: String
    let idToken: String
    let clientInfo: String
    let scope: String
    let expiresOn: Date
    let extendedExpiresOn: Date
    /// `tid` and `oid` of the ID token.
    let tenantID: String
    let objectID: String

    init?(_ body: JSONValue) {
        guard let accessToken = body["access_token"]?.nonEmptyString, let idToken = body["id_token"]?.nonEmptyString,
            let clientInfo = body["client_info"]?.nonEmptyString, let lifetime = body["expires_in"]?.int,
            let claims = idToken.split(separator: ".").dropFirst().first.flatMap({ Data(base64URL: $0) }).flatMap({
                JSONValue(parsing: $0)
            }),
            let tenantID = claims["tid"]?.nonEmptyString, let objectID = claims["oid"]?.nonEmptyString,
            let expiry = claims["exp"]?.int
        else { return nil }
        self.accessToken = accessToken
        self.idToken = idToken
        self.clientInfo = clientInfo
        scope = body["scope"]?.nonEmptyString ?? ""
        // Both tokens of the emulator expire at the same time. A time counted from now would be too late, because the
        // call took some time.
        expiresOn = Date(timeIntervalSince1970: TimeInterval(expiry))
        let extra = (body["ext_expires_in"]?.int ?? lifetime) - lifetime
        extendedExpiresOn = expiresOn.addingTimeInterval(TimeInterval(extra))
        self.tenantID = tenantID
        self.objectID = objectID
    }
}
