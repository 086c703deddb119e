// Licensed under the MIT License. See LICENSE.

import Foundation
import Glibc
import MSALSupport
import Testing

struct ChildProcessTests {
    @Test func `a child hears the signals that the thread which starts it does not`() async throws {
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
                    input: 0,
                    output: output,
                    errors: output
                )
                continuation.resume(returning: child?.wait())
            }
        }

        try pipe.fileHandleForWriting.close()
        let text = try #require(try pipe.fileHandleForReading.readToEnd())
        #expect(status == 0)
        #expect(String(decoding: text, as: UTF8.self) == "SigBlk:\t0000000000000000\n")
    }

    @Test func `a program that is none is an error with the system's words`() {
        let error = #expect(throws: ChildProcess.Failure.self) {
            try ChildProcess("/etc/passwd", arguments: [], environment: [:], input: 0, output: 1, errors: 2)
        }

        #expect(error?.description == "/etc/passwd: Permission denied")
    }
}
