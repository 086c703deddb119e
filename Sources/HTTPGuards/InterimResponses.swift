// Licensed under the MIT License. See LICENSE.

package import AsyncHTTPClient
package import NIOCore
package import NIOHTTP1

/// Removes interim responses (1xx) that precede the response to a request. A client must understand them and may ignore
/// them (RFC 9110 §15.2).
///
/// Precedes the decoder in the pipeline and works on bytes. NIO's decoder fails on a final response with
/// `Connection: close` or of HTTP/1.0 that follows an interim one. 101 is not treated as an interim response because
/// another protocol follows it.
package final class InterimResponses: ChannelDuplexHandler {
    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = ByteBuffer
    package typealias OutboundIn = HTTPClientRequestPart
    package typealias OutboundOut = HTTPClientRequestPart

    /// The start of a response that may be an interim one.
    private var start = ByteBuffer()
    private var awaitsResponse = false

    /// A longer head is left to the decoder.
    private static let longestHead = 16_384

    package init() {}

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .head = unwrapOutboundIn(data) { awaitsResponse = true }
        context.write(data, promise: promise)
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard awaitsResponse else { return context.fireChannelRead(data) }
        var bytes = unwrapInboundIn(data)
        if start.readableBytes == 0 { start = bytes } else { start.writeBuffer(&bytes) }
        dropInterim()
        if !awaitsResponse { passOn(to: context) }
    }

    package func channelInactive(context: ChannelHandlerContext) {
        // The decoder reports the missing part.
        passOn(to: context)
        context.fireChannelInactive()
    }

    private func passOn(to context: ChannelHandlerContext) {
        guard start.readableBytes > 0 else { return }
        context.fireChannelRead(wrapInboundOut(start))
        start = ByteBuffer()
    }

    /// Drops all complete interim responses. Any other response ends the search.
    private func dropInterim() {
        while awaitsResponse {
            let bytes = start.readableBytesView
            guard let isInterim = Self.isInterim(bytes) else { return }
            guard isInterim else {
                awaitsResponse = false
                return
            }
            guard let end = Self.endOfHead(in: bytes.prefix(Self.longestHead)) else {
                awaitsResponse = bytes.count < Self.longestHead
                return
            }
            start.moveReaderIndex(to: end)
        }
    }

    /// Whether a response that starts with these bytes is an interim one; `nil` if there are too few bytes.
    private static func isInterim(_ bytes: ByteBufferView) -> Bool? {
        // For example "HTTP/1.1 103". Each `#` of the pattern matches any digit.
        let pattern = Array("HTTP/1.# 1##".utf8)
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        for (byte, expected) in zip(bytes, pattern) {
            guard expected == UInt8(ascii: "#") ? digits.contains(byte) : byte == expected else { return false }
        }
        guard bytes.count > pattern.count else { return nil }
        let rest = bytes.dropFirst(pattern.count - 3)
        // A status code has three digits.
        return !rest.starts(with: "101".utf8) && !digits.contains(rest[rest.startIndex + 3])
    }

    /// The index after the empty line.
    private static func endOfHead(in bytes: ByteBufferView) -> Int? {
        let (carriage, line) = (UInt8(ascii: "\r"), UInt8(ascii: "\n"))
        return bytes.indices.first { index in
            bytes[index] == line && index >= bytes.startIndex + 3 && bytes[index - 1] == carriage
                && bytes[index - 2] == line && bytes[index - 3] == carriage
        }
        .map { $0 + 1 }
    }
}

extension HTTPClient.Configuration {
    /// A copy of the configuration that adds ``InterimResponses`` to each connection. HTTP/2 does not need it: the
    /// client handles interim responses there.
    package var leavingOutInterimResponses: Self {
        var copy = self
        // The client calls this for each HTTP/1.1 connection once TLS is ready.
        copy.http1_1ConnectionDebugInitializer = { channel in
            channel.eventLoop.makeCompletedFuture {
                let pipeline = channel.pipeline.syncOperations
                let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
                try pipeline.addHandler(InterimResponses(), position: .before(decoder))
            }
        }
        return copy
    }
}
