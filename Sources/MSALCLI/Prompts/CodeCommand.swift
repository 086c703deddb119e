// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import MSAL

/// A program that prints the one-time code: it reads a mailbox, or the emulator's outbox.
struct CodeCommand {
    private let words: [String]

    init(_ words: [String]) { self.words = words }

    /// Runs the program, with the masked address in `MSAL_CODE_SENT_TO` and the channel in `MSAL_CODE_CHANNEL`.
    ///
    /// Canceling the task ends the program.
    ///
    /// - Returns: The first line that it prints.
    /// - Throws: `Failure` if it cannot be started, fails, or prints nothing; `CancellationError`.
    func run(_ delivery: CodeDelivery) async throws -> PrivateText {
        let process = process(delivery)
        let output = Pipe()
        process.standardOutput = output
        let wakeUp = try WakeupPipe()
        process.terminationHandler = { _ in wakeUp.signal() }
        do {
            try process.run()
        } catch {
            throw Failure.usage(
                "code_command cannot be started: \(error.systemReason).",
                remedy: "It is started with /usr/bin/env. Check that this works in a shell."
            )
        }
        let text = await withTaskCancellationHandler {
            await Self.text(output, until: wakeUp)
        } onCancel: {
            process.terminate()
            wakeUp.signal()  // This ends the wait for a program that does not want to end.
        }
        try Task.checkCancellation()
        guard process.terminationStatus == 0 else {
            // env(1) and shells end with these two.
            let isMissing = [126, 127].contains(process.terminationStatus)
            throw Failure.usage(
                "code_command exited with status \(process.terminationStatus).",
                remedy: isMissing
                    ? "The program was not found (127) or cannot be started (126). The first element must be a program."
                    : "It must print the code sent to \(delivery.sentTo) and exit with 0."
            )
        }
        let line = text.split(whereSeparator: \.isNewline).first?.trimmingCharacters(in: .whitespaces) ?? ""
        guard !line.isEmpty else {
            throw Failure.usage("code_command printed no code.", remedy: "It must print the code on its first line.")
        }
        return PrivateText(line)
    }

    private func process(_ delivery: CodeDelivery) -> Process {
        let process = Process()
        // The program is found as a shell finds it, but no shell interprets the words.
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["--"] + words
        process.environment = ProcessInfo.processInfo.environment.merging([
            "MSAL_CODE_SENT_TO": delivery.sentTo, "MSAL_CODE_CHANNEL": delivery.channel,
        ]) { $1 }
        process.standardInput = FileHandle.nullDevice
        return process
    }

    /// How much of the output is kept, in bytes. A code is the first of its lines.
    private static let limit = 4096

    /// The text that a program prints until it ends. A dedicated thread reads it, because the program may run for long.
    private static func text(_ output: Pipe, until end: WakeupPipe) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                // The pipe closes its descriptor when it goes.
                let text = withExtendedLifetime(output) { read(output.fileHandleForReading.fileDescriptor, until: end) }
                continuation.resume(returning: text)
            }
        }
    }

    /// Reads as fast as the program writes, and drops everything beyond the limit. It stops at the end of the program,
    /// even if the output is still open.
    private static func read(_ descriptor: Int32, until end: WakeupPipe) -> String {
        var text: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: limit)
        var watched = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: end.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            guard poll(&watched, 2, -1) >= 0 || errno == EINTR else { break }
            let hasEnded = watched[1].revents != 0
            // Everything that the program wrote before its end can be read by now.
            if hasEnded, watched[0].revents == 0 || text.count >= limit { break }
            guard watched[0].revents != 0 else { continue }
            let count = Glibc.read(descriptor, &bytes, bytes.count)
            if count > 0 { text += bytes.prefix(min(count, limit - text.count)) }
            if count == 0 || (count < 0 && errno != EINTR) { watched[0].fd = -1 }  // poll(2) leaves out negative ones.
        }
        return String(decoding: text, as: UTF8.self)
    }
}
