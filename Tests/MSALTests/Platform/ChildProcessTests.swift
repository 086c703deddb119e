// Licensed under the MIT License. See LICENSE.

import Foundation
import Glibc
import MSALBase
import TestSupport
import Testing

struct ChildProcessTests {
    @Test func `a child receives the signals that are blocked in the thread that starts it`() async throws {
        let pipe = Pipe()
        let output = pipe.fileHandleForWriting.fileDescriptor

        let status = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var all = sigset_t()
                sigfillset(&all)
                pthread_sigmask(SIG_BLOCK, &all, nil)
                let arguments = ["SigBlk", "/proc/self/status"]
                let child = try? ChildProcess(
                    "/bin/grep",
                    arguments: arguments,
                    environment: [:],
                    streams: .init(input: 0, output: output, errors: output)
                )
                continuation.resume(returning: child?.wait())
            }
        }

        try pipe.fileHandleForWriting.close()
        let text = try #require(try pipe.fileHandleForReading.readToEnd())
        #expect(status == 0)
        #expect(String(decoding: text, as: UTF8.self) == "SigBlk:\t0000000000000000\n")
    }

    @Test func `a file that is not a program is an error with the system's message`() {
        let error = #expect(throws: ChildProcess.Failure.self) {
            try ChildProcess(
                "/etc/passwd",
                arguments: [],
                environment: [:],
                streams: .init(input: 0, output: 1, errors: 2)
            )
        }

        #expect(error?.description.hasPrefix("/etc/passwd: Permission denied; it is not a program") == true)
    }

    @Test(arguments: [([ETXTBSY, ETXTBSY, 0], 2), ([0], 0), ([ETXTBSY, ENOENT], 1), ([ENOENT, 0], 0)])
    func `starting a program that is being written is retried`(codes: [Int32], pauses: Int) {
        var left = codes[...]
        var paused = 0

        let code = ChildProcess.codeWhenWritten(pause: { paused += 1 }) { left.popFirst() ?? -1 }

        #expect(code == codes[pauses])
        #expect(paused == pauses)
    }

    @Test func `a program that stays open for writing is an error that says so`() throws {
        let folder = try TemporaryDirectory()
        let program = folder.url.appending(path: "program").path
        try Data("#!/bin/sh\n".utf8).write(to: URL(filePath: program))
        #expect(chmod(program, 0o700) == 0)
        let writer = open(program, O_WRONLY | O_CLOEXEC)
        defer { close(writer) }

        let error = #expect(throws: ChildProcess.Failure.self) {
            try ChildProcess(program, arguments: [], environment: [:], streams: .init(input: 0, output: 1, errors: 2))
        }

        #expect(error?.description.contains("another program is writing it") == true)
    }
}
