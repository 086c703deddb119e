// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Decodes the requests of the platform's listeners, and determines the address that the client used.
struct RequestReader: Sendable {
    let identity: ServerIdentity
    let ports: BoundPorts
    let proxies: TrustedProxies
    let publicURL: String?
    let clock: EmulatorClock

    /// Decodes a request. A part that cannot be decoded is omitted and reported as the error.
    func read(_ request: Request, context: EmulatorContext) async -> (Exchange, Data, EntraError?) {
        var failure: EntraError?
        let query = FormValues(request.uri.query ?? "")
        if query == nil { failure = .malformed }
        var body = Data()
        var form: FormValues? = .empty
        do {
            // Do not wait for a body whose announced length is too large.
            if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > Exchange.bodyLimit {
                throw NIOTooManyBytesError(maxBytes: Exchange.bodyLimit)
            }
            let buffer = try await request.body.collect(upTo: Exchange.bodyLimit)
            body = Data(buffer.readableBytesView)
            if request.headers[.contentType]?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true {
                form = String(validating: body, as: UTF8.self).flatMap { FormValues($0) }
                if form == nil { failure = .malformed }
            }
        } catch is NIOTooManyBytesError {
            failure = .malformed
            failure?.status = HTTPResponse.Status.contentTooLarge.code
        } catch {
            // The body is truncated, or its chunks are invalid.
            failure = .malformed
        }
        if !HostField.isClear(in: request) { failure = .unclearHost }
        let requested = request.headers[.clientRequestID] ?? query?["client-request-id"] ?? form?["client-request-id"]
        let connection = ClientConnection(channel: context.channel)
        var exchange = Exchange(
            request,
            query: query,
            form: form,
            base: base(request.head.authority, context: context),
            requestedID: requested,
            now: clock.now
        )
        exchange.publicURL = publicURL
        exchange.connection = connection
        exchange.clientAddress = proxies.client(of: request.headers, from: connection.address)
        exchange.now = clock.now(for: exchange.presentedClientID)
        return (exchange, body, failure)
    }

    /// The address that the client used, if the certificate covers it.
    private func base(_ authority: String?, context: EmulatorContext) -> String {
        guard let authority, let uri = RedirectAddress("https://\(authority)"), uri.rest.isEmpty,
            identity.covers(uri.host)
        else { return "https://localhost:\(ports.platform ?? context.channel.localAddress?.port ?? 443)" }
        // Tokens name the same issuer on every port.
        let isMutualTLS = uri.port != nil && uri.port == ports.mutualTLS
        let port = isMutualTLS ? ports.platform : uri.port
        let host = identity.isAdditional(uri.host) ? uri.host : KnownHosts.global(of: uri.host)
        return "https://" + host + (port.map { $0 == 443 ? "" : ":\($0)" } ?? "")
    }
}
