// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPGuards
import NIOCore
import NIOEmbedded
import NIOHTTP1
import TestSupport
import Testing

/// The part of a response that reaches the decoder.
struct InterimResponsesTests {
    private static let final = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"

    /// Sends a request, receives the pieces, and returns what reaches the decoder.
    private func passed(_ pieces: [String], isRequested: Bool = true) throws -> String {
        let channel = EmbeddedChannel(handler: InterimResponses())
        if isRequested {
            let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
            try channel.writeOutbound(HTTPClientRequestPart.head(head))
        }
        for piece in pieces { try channel.writeInbound(ByteBuffer(string: piece)) }
        // The end of the connection passes on buffered bytes.
        _ = try channel.finish(acceptAlreadyClosed: true)
        var text = ""
        while let bytes = try channel.readInbound(as: ByteBuffer.self) { text += String(buffer: bytes) }
        return text
    }

    @Test(arguments: ResponseHeadTests.interim.indices)
    func `an interim response is removed however it arrives`(_ index: Int) throws {
        let text = ResponseHeadTests.interim[index] + ResponseHeadTests.interim[0] + Self.final

        #expect(try passed([text]) == Self.final)
        #expect(try passed(text.map { String($0) }) == Self.final)
        #expect(try passed(text.utf8.map { String(UnicodeScalar($0)) }) == Self.final)
    }

    @Test(arguments: [
        final, "HTTP/1.1 101 Switching\r\n\r\nabc", "HTTP/1.1 1000 Odd\r\n\r\n", "HTTP/1.1 099 Odd\r\n\r\n",
        "HTTP/1.1 10",
        "HTTP/2 103\r\n\r\n", "SSH-2.0-x\r\n", "HTTP/1.1 103 Early Hints\r\nLink: </a>", "",
    ])
    func `everything else is passed to the decoder`(_ text: String) throws {
        #expect(try passed([text]) == text)
        #expect(try passed(text.utf8.map { String(UnicodeScalar($0)) }) == text)
    }

    @Test func `a head that is too long is passed to the decoder`() throws {
        let text = "HTTP/1.1 103 " + String(repeating: "a", count: 20_000) + "\r\n\r\n" + Self.final
        let isWhole = try passed([text]) == text

        #expect(isWhole)
    }

    @Test func `unsolicited bytes are passed to the decoder`() throws {
        let text = ResponseHeadTests.interim[0] + Self.final

        #expect(try passed([text], isRequested: false) == text)
    }
}
