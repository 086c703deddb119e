// Licensed under the MIT License. See LICENSE.

package import Foundation
import MSALBase

/// A program that a test starts and waits for.
///
/// Foundation's `Process` is not used, because its wait sometimes continued after the program's end when several threads
/// started programs at the same time.
package struct StartedProgram: Sendable {
    private let process: ChildProcess
    private let output: FileHandle

    /// Starts a program. Its output, and its errors unless they go elsewhere, can be read here.
    ///
    /// - Throws: The system's reason.
    package init(
        _ program: String,
        _ arguments: [String] = [],
        environment: [String: String] = ProcessInfo.processInfo.environment,
        input: FileHandle = .nullDevice,
        errors: FileHandle? = nil
    ) throws {
        let pipe = Pipe()
        process = try ChildProcess(
            program,
            arguments: arguments,
            environment: environment,
            streams: .init(
                input: input.fileDescriptor,
                output: pipe.fileHandleForWriting.fileDescriptor,
                errors: (errors ?? pipe.fileHandleForWriting).fileDescriptor
            )
        )
        // The program has its own copy now. With this one open, the end of the output would not be detected.
        try pipe.fileHandleForWriting.close()
        output = pipe.fileHandleForReading
    }

    /// Waits for more output. At the end of the output the text is empty.
    package func nextText() -> String { String(decoding: output.availableData, as: UTF8.self) }

    /// Sends SIGTERM to the program.
    package func terminate() { kill(process.id, SIGTERM) }

    /// Kills the program, and waits for its end.
    package func stop() {
        kill(process.id, SIGKILL)
        _ = process.wait()
    }

    /// Reads the rest of the output, and waits for the end.
    ///
    /// - Returns: The exit status, or 128 and the number of the signal that ended the program; the rest of the output.
    package func end() throws -> (status: Int32, text: String) {
        let rest = try output.readToEnd() ?? Data()
        return (process.wait(), String(decoding: rest, as: UTF8.self))
    }
}
