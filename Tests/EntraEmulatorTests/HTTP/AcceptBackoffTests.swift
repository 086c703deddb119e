// Licensed under the MIT License. See LICENSE.

import Foundation
import NIOCore
import NIOEmbedded
import Testing

@testable import EntraEmulator

/// A listener for which no descriptor is left.
struct AcceptBackoffTests {
    @Test func `a listener without descriptors pauses, and resumes`() throws {
        let channel = EmbeddedChannel(handler: AcceptBackoff(.seconds(1)))
        channel.pipeline.fireErrorCaught(IOError(errnoCode: EMFILE, reason: "accept"))

        channel.embeddedEventLoop.advanceTime(by: .milliseconds(999))
        let first = Self.reads(of: channel)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))

        #expect(first == [false])
        #expect(Self.reads(of: channel) == [true])
        try channel.throwIfErrorCaught()
    }

    @Test func `other errors are passed on`() throws {
        let channel = EmbeddedChannel(handler: AcceptBackoff(.seconds(1)))
        channel.pipeline.fireErrorCaught(IOError(errnoCode: EBADF, reason: "accept"))

        #expect(throws: IOError.self) { try channel.throwIfErrorCaught() }
        #expect(Self.reads(of: channel) == [])
    }

    /// The value that last switched reading off or on, if there was one.
    private static func reads(of channel: EmbeddedChannel) -> [Bool] {
        channel.options.filter { $0.option is ChannelOptions.Types.AutoReadOption }.compactMap { $0.value as? Bool }
    }
}
