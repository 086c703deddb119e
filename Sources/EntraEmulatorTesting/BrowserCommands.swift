// Licensed under the MIT License. See LICENSE.

import Dispatch
package import Foundation
import MSALBase
import Synchronization

/// The programs that represent browser stand-ins of this process: one file per stand-in, in one folder.
///
/// A program writes the address to a separate file, and the names of the stand-in and of that file to a pipe that this
/// process reads. It only requires a shell, and never passes a password in the arguments of a process.
package final class BrowserCommands: Sendable {
    static let shared = BrowserCommands()

    /// The folder of the programs, and the stand-ins by name.
    private struct State {
        let folder: URL
        let source: any DispatchSourceRead
        var standIns: [String: BrowserStandIn] = [:]
        /// The beginning of an incomplete line.
        var unread: [UInt8] = []
    }

    private let state = Mutex<State?>(nil)

    private init() {}

    /// The command that opens addresses in a stand-in. Its program is created on the first call.
    func command(for standIn: BrowserStandIn) throws -> [String] {
        let program = try program(for: standIn)
        // The temporary folder may be mounted without permission to execute programs, but a shell can still read one
        // there.
        return access(program, X_OK) == 0 ? [program] : ["/bin/sh", program]
    }

    private func program(for standIn: BrowserStandIn) throws -> String {
        try state.withLock { state in
            var current = try state ?? makeState()
            let program = current.folder.appending(path: standIn.name).path(percentEncoded: false)
            if current.standIns[standIn.name] == nil {
                let script = Self.script(name: standIn.name, folder: current.folder.path(percentEncoded: false))
                try Self.write(script, to: program)
                current.standIns[standIn.name] = standIn
            }
            state = current
            return program
        }
    }

    /// The folder for paths in `BROWSER`. Programs split that value at spaces and colons, so the temporary folder is
    /// only used if its name contains neither.
    package static func place(_ temporary: URL) -> URL {
        let isWord = temporary.path(percentEncoded: false).unicodeScalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic || "0123456789/._-+@".unicodeScalars.contains(scalar)
        }
        return isWord ? temporary : URL(filePath: "/tmp")
    }

    private func makeState() throws -> State {
        let folder = Self.place(FileManager.default.temporaryDirectory)
            .appending(path: "entra-emulator-testing-\(getpid())-\(UUID().uuidString.prefix(8))")
        let path = folder.path(percentEncoded: false)
        // Not accessible to other users, because the addresses that pass through it are private.
        try Self.check(mkdir(path, 0o700), at: path)
        let pipe = "\(path)/pages"
        try Self.check(mkfifo(pipe, 0o600), at: pipe)
        // This process is also a writer, so that the pipe does not end when the first program closes it.
        let descriptor = open(pipe, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        try Self.check(descriptor, at: pipe)
        atexit { BrowserCommands.shared.removeFolder() }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
        source.setEventHandler { [weak self] in self?.openPages(from: descriptor) }
        source.resume()
        return State(folder: folder, source: source)
    }

    /// Reads what programs have written, and opens the addresses.
    private func openPages(from descriptor: Int32) {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return }
        let pages = state.withLock { state -> [(BrowserStandIn, URL)] in
            guard var current = state else { return [] }
            let lines = (current.unread + buffer.prefix(count)).split(
                separator: UInt8(ascii: "\n"),
                omittingEmptySubsequences: false
            )
            current.unread = lines.last.map(Array.init) ?? []
            state = current
            return lines.dropLast().compactMap { line in
                let words = String(decoding: line, as: UTF8.self).split(separator: " ").map(String.init)
                guard words.count == 2, let standIn = current.standIns[words[0]] else { return nil }
                return (standIn, current.folder.appending(path: words[1]))
            }
        }
        for (standIn, file) in pages {
            defer { try? FileManager.default.removeItem(at: file) }  // The folder goes with the process in any case.
            guard let text = try? String(contentsOf: file, encoding: .utf8), let url = URL(string: text) else {
                continue
            }
            standIn.open(url)
        }
    }

    private func removeFolder() {
        // When the process exits, an error can no longer be reported.
        state.withLock { state in
            if let state { try? FileManager.default.removeItem(at: state.folder) }
        }
    }

    private static func script(name: String, folder: String) -> String {
        let quoted = "'\(folder.replacingOccurrences(of: "'", with: "'\\''"))'"
        return """
            #!/bin/sh
            # Opens an address in a browser stand-in of EntraEmulatorTesting: browser ADDRESS
            umask 077
            page=\(name)-$$
            printf '%s' "$1" > \(quoted)/"$page" || exit
            # Opened for reading, too, so that it does not block if there is no reader.
            printf '%s\\n' "\(name) $page" 1<> \(quoted)/pages

            """
    }

    /// Writes a program that can be started immediately.
    ///
    /// A child process writes the file. If this process did, another thread that starts a program at the same time
    /// would pass the open file to its child for a moment, and the system does not start a program whose file is open
    /// for writing ("Text file busy").
    private static func write(_ script: String, to program: String) throws {
        let text = Pipe()
        let writer = try ChildProcess(
            "/bin/sh",
            arguments: ["-c", #"umask 077; cat > "$1" && chmod 700 "$1""#, "sh", program],
            environment: ["PATH": "/usr/bin:/bin"],
            streams: .init(input: text.fileHandleForReading.fileDescriptor, output: 1, errors: 2)
        )
        try text.fileHandleForWriting.write(contentsOf: Data(script.utf8))
        try text.fileHandleForWriting.close()
        guard writer.wait() == 0 else {
            throw BrowserStandIn.Failure(description: "cannot write \(program). Set TMPDIR to a writable folder.")
        }
    }

    private static func check(_ result: Int32, at path: String) throws(BrowserStandIn.Failure) {
        guard result < 0 else { return }
        let reason = String(cString: strerror(errno))
        throw BrowserStandIn.Failure(description: "cannot create \(path): \(reason). Set TMPDIR to a writable folder.")
    }
}
