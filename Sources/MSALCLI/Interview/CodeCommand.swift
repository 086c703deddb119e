// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// A program that prints a code that was sent: it reads a mailbox, or the emulator's outbox.
struct CodeCommand {
    private let words: [String]

    init(_ words: [String]) {
        self.words = words
    }

    /// Runs the program, with the masked address in `MSAL_CODE_SENT_TO` and the channel in `MSAL_CODE_CHANNEL`.
    ///
    /// - Returns: The first line that it prints.
    /// - Throws: `Failure` if it cannot be started, fails, or prints nothing.
    func run(_ delivery: CodeDelivery) async throws -> Secret {
        let process = Process()
        let output = Pipe()
        // As a shell finds programs; the words themselves are never read by one.
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["--"] + words
        process.environment = ProcessInfo.processInfo.environment.merging([
            "MSAL_CODE_SENT_TO": delivery.sentTo, "MSAL_CODE_CHANNEL": delivery.channel,
        ]) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        let status: Int32
        do {
            status = try await withCheckedThrowingContinuation { continuation in
                process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
                do {
                    try process.run()
                } catch {
                    process.terminationHandler = nil
                    continuation.resume(throwing: error)
                }
            }
        } catch {
            throw Failure.usage("code_command cannot be started.", remedy: "Its first word must be a program.")
        }
        guard status == 0 else {
            throw Failure.usage(
                "code_command ended with status \(status).",
                remedy: "It must print the code sent to \(delivery.sentTo) and end with 0."
            )
        }
        // The program has ended, so that nothing more can come.
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        let line = text.split(whereSeparator: \.isNewline).first?.trimmingCharacters(in: .whitespaces) ?? ""
        guard !line.isEmpty else {
            throw Failure.usage("code_command printed no code.", remedy: "It must print the code on its first line.")
        }
        return Secret(line)
    }
}
