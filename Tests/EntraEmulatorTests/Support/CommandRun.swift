// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import TestSupport
import Testing

/// A run of the `entra-emulator` command that asks an emulator of this process.
///
/// `Process` would block a thread of the tests until the command ends. There are as many threads as cores, and the
/// emulator needs one to respond to the command.
struct CommandRun {
    let status: Int32
    /// What it wrote to both streams.
    let text: String

    init(_ words: [String]) async throws {
        let folder = try TemporaryDirectory()
        let file = folder.url.appending(path: "output")
        try Data().write(to: file)
        let output = try FileHandle(forWritingTo: file)
        let program = try #require(Bundle.main.executableURL).deletingLastPathComponent()
            .appending(path: "entra-emulator")
        let process = try ChildProcess(
            program.path(percentEncoded: false),
            arguments: words,
            environment: ["COLUMNS": "200", "HOME": Bench.stateDirectory.path],
            streams: .init(
                input: FileHandle.nullDevice.fileDescriptor,
                output: output.fileDescriptor,
                errors: output.fileDescriptor
            )
        )
        status = await process.end()
        try output.close()
        text = try String(contentsOf: file, encoding: .utf8)
    }
}
