// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

extension TemporaryDirectory {
    /// Writes a shell script that any program can start immediately.
    ///
    /// `script` has the lines after the first, which names the shell.
    ///
    /// - Returns: The path of the program.
    /// - Throws: The system's error, if the file could not be written.
    @discardableResult
    package func writeProgram(_ name: String, script: String) async throws -> String {
        try await writeProgram(name, bytes: "#!/bin/sh\n\(script)\n".utf8)
    }

    /// Writes a program of any bytes that any program can start immediately.
    ///
    /// A child process writes the file. If this process did, another thread that starts a program in the meantime would pass
    /// the open file to its child for a moment, and the system does not start a program whose file is open for writing ("Text
    /// file busy").
    ///
    /// - Returns: The path of the program.
    /// - Throws: The system's error, if the file could not be written.
    package func writeProgram(_ name: String, bytes: some Sequence<UInt8>) async throws -> String {
        let program = url.appending(path: name).path(percentEncoded: false)
        let text = Pipe()
        let writer = try ChildProcess(
            "/bin/sh",
            arguments: ["-c", #"umask 077; cat > "$1" && chmod 700 "$1""#, "sh", program],
            environment: ["PATH": "/usr/bin:/bin"],
            streams: .init(
                input: text.fileHandleForReading.fileDescriptor,
                output: FileHandle.standardOutput.fileDescriptor,
                errors: FileHandle.standardError.fileDescriptor
            )
        )
        try text.fileHandleForWriting.write(contentsOf: Data(bytes))
        try text.fileHandleForWriting.close()
        guard await writer.end() == 0 else { throw POSIXError(.EIO) }
        return program
    }
}
