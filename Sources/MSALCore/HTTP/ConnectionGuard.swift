// Licensed under the MIT License. See LICENSE.

import HTTPGuards
import NIOCore
import NIOHTTP1

/// Sits between a connection's decoder and the HTTP client, and stops input that would crash or mislead them.
/// ``InterimResponses`` runs before the decoder.
///
/// The client of AsyncHTTPClient 1.37 ends the process on a status below 100. It takes the head for an interim response
/// and traps at the end that follows.
final class ConnectionGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    private let certificate: PeerNames
    private var acceptedHost: String?
    private var isBroken = false

    private init(_ certificate: PeerNames) { self.certificate = certificate }

    /// Guards a connection whose pipeline is complete, TLS handshake included.
    ///
    /// - Throws: `ChannelPipelineError` if the connection has ended meanwhile.
    static func add(to channel: any Channel) throws {
        let pipeline = channel.pipeline.syncOperations
        let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
        try pipeline.addHandler(InterimResponses(), position: .before(decoder))
        try pipeline.addHandler(ConnectionGuard(PeerNames(of: pipeline)), position: .after(decoder))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .head(let head) = unwrapOutboundIn(data), !isBroken { check(head, in: context) }
        guard !isBroken else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        context.write(data, promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isBroken else { return }
        if case .head(let head) = unwrapInboundIn(data) {
            switch head.status.code {
            case 100...599: break
            default: return refuse(.status(Int(head.status.code)), in: context)
            }
        }
        context.fireChannelRead(data)
    }

    /// Checks the server's certificate before the first byte of a request leaves.
    private func check(_ head: HTTPRequestHead, in context: ChannelHandlerContext) {
        let host = HostHeader.name(in: head.headers.first(name: "Host") ?? "")
        guard host != acceptedHost else { return }
        guard certificate.cover(host) else { return refuse(.unnamedHost, in: context) }
        acceptedHost = host
    }

    /// Ends the request with `fault`. The client then closes the connection.
    private func refuse(_ fault: ConnectionError, in context: ChannelHandlerContext) {
        isBroken = true
        context.fireErrorCaught(fault)
    }
}

/// A reason to close a connection.
enum ConnectionError: Error {
    /// The status of the response is not one of HTTP (RFC 9110 §15).
    case status(Int)
    /// No subjectAltName of the certificate covers the host.
    case unnamedHost
}
