// Licensed under the MIT License. See LICENSE.

public import Foundation
import Glibc
import MSALBase

/// A private session bus: a `dbus-daemon` with its own configuration and folder.
///
/// A shell holds the other end of a pipe of this process. When the pipe closes, because the bus is stopped or this
/// process has ended in any way, the shell stops the daemon and deletes the folder.
final class PrivateBus: Sendable {
    /// The address, in the format of `DBUS_SESSION_BUS_ADDRESS`.
    let address: String
    /// Ends with the shell. ``stop()`` awaits it.
    private let end: Task<Void, Never>
    private let lifeline: FileHandle

    private init(address: String, shell: ChildProcess, lifeline: FileHandle) {
        (self.address, self.lifeline) = (address, lifeline)
        end = Task { _ = await shell.end() }
    }

    /// Starts a bus.
    ///
    /// - Throws: `BrokerStartFailure` with the remedy.
    static func start() async throws -> PrivateBus {
        guard let program = program(in: ProcessInfo.processInfo.environment) else {
            throw BrokerStartFailure(
                description: "dbus-daemon is not installed, but the broker needs a bus; install the package "
                    + "dbus-daemon (Debian, Fedora) or dbus (Arch), or use the session bus"
            )
        }
        let folder = try makeFolder()
        do {
            try Data(configuration(folder: folder).utf8).write(to: URL(fileURLWithPath: folder + "/bus.conf"))
            return try await launch(program, folder: folder)
        } catch {
            // The reason of the failure is the one to report.
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
    }

    /// Stops the daemon and waits for its end. Calling it again has no effect.
    func stop() async {
        // The call only fails if the pipe was closed before.
        try? lifeline.close()
        await end.value
    }

    private static func launch(_ program: String, folder: String) async throws -> PrivateBus {
        let (input, output) = (Pipe(), Pipe())
        // Programs that this process starts later must not keep the pipe open.
        _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        let shell: ChildProcess
        do throws(ChildProcess.Failure) {
            shell = try ChildProcess(
                "/bin/sh",
                arguments: ["-c", script, "sh", program, folder],
                environment: ProcessInfo.processInfo.environment,
                streams: .init(
                    input: input.fileHandleForReading.fileDescriptor,
                    output: output.fileHandleForWriting.fileDescriptor,
                    errors: STDERR_FILENO
                )
            )
        } catch {
            throw BrokerStartFailure(description: "no bus could be started: \(error)")
        }
        // The shell has its own descriptor by now. If this one stayed open, this process would not notice the end of
        // the daemon's output.
        try? output.fileHandleForWriting.close()
        let line = await firstLine(of: output.fileHandleForReading)
        guard let address = line, address.hasPrefix("unix:") else {
            let log = try? String(contentsOfFile: folder + "/log", encoding: .utf8)
            try? input.fileHandleForWriting.close()
            _ = await shell.end()
            let reason = log?.split(separator: "\n").last.map { ": \($0)" } ?? ""
            throw BrokerStartFailure(description: "\(program) could not start a bus\(reason)")
        }
        return PrivateBus(address: address, shell: shell, lifeline: input.fileHandleForWriting)
    }

    /// The shell ignores the signals of a terminal and waits for this process. It kills the daemon with a signal that
    /// cannot be ignored, and does not wait for its end.
    private static let script = """
        trap '' INT HUP
        "$1" --config-file="$2/bus.conf" --nofork --nopidfile --print-address=1 </dev/null 2>"$2/log" &
        bus=$!
        exec >/dev/null
        read -r _
        kill -KILL "$bus" 2>/dev/null
        rm -rf "$2"
        """

    private static func firstLine(of handle: FileHandle) async -> String? {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                var line: [UInt8] = []
                while line.last != UInt8(ascii: "\n"), line.count < 4_096,
                    let next = try? handle.read(upToCount: 1), !next.isEmpty
                { line += next }
                let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .newlines)
                continuation.resume(returning: text.isEmpty ? nil : text)
            }
        }
    }

    private static func makeFolder() throws -> String {
        // The folder is not created in TMPDIR, because the path is used unescaped in the bus's address and
        // configuration, and the path of a socket has at most 107 bytes. This one is short and needs no escaping.
        var template = Array("/tmp/entra-emulator-broker-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw BrokerStartFailure(
                description: "cannot create a folder in /tmp (errno \(errno)); free some space there"
            )
        }
        // `mkdtemp` creates a folder with mode 0700.
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func program(in environment: [String: String]) -> String? {
        let folders =
            (environment["PATH"] ?? "").split(separator: ":").map(String.init) + ["/usr/bin", "/usr/local/bin"]
        return folders.filter { $0.hasPrefix("/") }.map { $0 + "/dbus-daemon" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// dbus-daemon(1). Only this user is allowed. The policy is that of session buses.
    private static func configuration(folder: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>session</type>
          <listen>unix:path=\(folder)/bus</listen>
          <auth>EXTERNAL</auth>
          <policy context="default">
            <allow send_destination="*" eavesdrop="true"/>
            <allow eavesdrop="true"/>
            <allow own="*"/>
          </policy>
        </busconfig>

        """
    }
}

/// The reason why an emulated broker could not start.
public struct BrokerStartFailure: LocalizedError, CustomStringConvertible {
    /// One sentence with the remedy.
    public let description: String
    /// The same as ``description``; `localizedDescription` returns it.
    public var errorDescription: String? { description }
}
