// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import Testing

@testable import MSALCLI

struct TerminalTests {
    @Test func `a full disk is a failure, because the result is lost`() throws {
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        try #require(full >= 0)
        defer { close(full) }

        let failure = try #require(throws: Failure.self) {
            try Terminal(descriptor: full).result { (output) throws(OutputError) in try output.deliver("token") }
        }

        #expect(failure.status == .failed)
        #expect(failure.message == "The output could not be written: No space left on device.")
    }

    @Test func `a closed stream is a failure`() throws {
        let unwritable = open("/dev/null", O_RDONLY | O_CLOEXEC)
        try #require(unwritable >= 0)
        defer { close(unwritable) }

        #expect(throws: OutputError.self) { try Terminal(descriptor: unwritable).deliver("token") }
    }

    /// All output of a pipe, while `write` fills it. The reader is a thread that exists before the writer starts: the
    /// tests have as many threads as cores, and a writer that waits occupies one of them.
    private static func contents(of reader: Int32, whileWriting write: () -> Void) async -> Data {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let handle = FileHandle(fileDescriptor: reader, closeOnDealloc: false)
                // Unread bytes make the comparison fail.
                continuation.resume(returning: (try? handle.readToEnd()) ?? Data())
            }
            write()
        }
    }

    @Test func `all bytes are written, however many the stream accepts at once`() async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (reader, writer) = (ends[0], ends[1])
        defer { close(reader) }
        // The pipe accepts fewer bytes at once, and the writer has to try again.
        try #require(fcntl(writer, F_SETFL, O_NONBLOCK) == 0)
        let bytes = Data((0..<300_000).map { UInt8($0 % 251) })

        let received = await Self.contents(of: reader) {
            #expect(throws: Never.self) { try Terminal(descriptor: writer).deliver(raw: bytes) }
            close(writer)
        }

        #expect(received == bytes)
    }

    @Test func `the width is that of the terminal, and unknown elsewhere`() throws {
        let terminal = try #require(PseudoTerminal())
        defer { terminal.close() }
        var size = winsize(ws_row: 24, ws_col: 42, ws_xpixel: 0, ws_ypixel: 0)
        try #require(ioctl(terminal.person, UInt(TIOCSWINSZ), &size) == 0)

        #expect(Terminal(descriptor: terminal.program).width == 42)
        #expect(Terminal(descriptor: -1).width == nil)
    }
}
