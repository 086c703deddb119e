// Licensed under the MIT License. See LICENSE.

import Foundation
import Glibc
import Testing

/// A running `StoreWorker`. Its output goes to a file, so that nothing is lost when it is killed.
final class Worker {
    let process: pid_t
    private let output: URL
    private let input: Int32
    private var status: Int32?
    private var taken = 0

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// `prefix`: A command and its arguments that start the worker differently, for instance as another user.
    init(_ job: String, in directory: URL, _ settings: [String] = [], prefix: [String] = []) throws {
        output = directory.appending(path: "output-\(UUID().uuidString)")
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failure(description: "pipe: \(errno)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        input = ends[1]
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
        posix_spawn_file_actions_addopen(&actions, 1, output.path, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        // A prefix that ends in a copy of the program needs no program.
        let program = prefix.last?.hasSuffix("/worker") == true ? [] : [try Self.path()]
        let words = prefix + program + [job, directory.path] + settings
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var id: pid_t = 0
        let code = posix_spawnp(&id, words[0], &actions, nil, &arguments, environ)
        close(ends[0])
        guard code == 0 else { throw Failure(description: "\(words[0]): \(String(cString: strerror(code)))") }
        process = id
    }

    /// The program next to the test executable; a copy of it if another user must be able to run it.
    static func path() throws -> String {
        if let path = ProcessInfo.processInfo.environment["MSAL_STORE_WORKER"] { return path }
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let beside = URL(filePath: tests).deletingLastPathComponent().appending(path: "StoreWorker").path
        if access(beside, X_OK) == 0 { return beside }
        // Swift Testing's helper runs the tests out of the bundle that it was given.
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? ""
        let other = URL(filePath: bundle).deletingLastPathComponent().appending(path: "StoreWorker").path
        guard access(other, X_OK) == 0 else { throw Failure(description: "There is no StoreWorker beside \(tests).") }
        return other
    }

    /// Its output so far, complete lines only.
    var lines: [String] {
        let text = String(decoding: FileManager.default.contents(atPath: output.path) ?? Data(), as: UTF8.self)
        var lines = text.components(separatedBy: "\n")
        lines.removeLast()
        return lines
    }

    func send(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = write(input, bytes, bytes.count)
    }

    /// Sends a command and waits for its one line.
    func ask(_ line: String) throws -> String {
        send(line)
        return try next()
    }

    /// The next unread line.
    func next() throws -> String {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            let lines = lines
            if taken < lines.count {
                taken += 1
                return lines[taken - 1]
            }
            usleep(300)
        }
        throw Failure(description: "The worker does not respond; its output: \(lines.suffix(3))")
    }

    func kill() {
        if status == nil { _ = Glibc.kill(process, SIGKILL) }
        wait()
    }

    /// Whether it is still running.
    var isAlive: Bool {
        guard self.status == nil else { return false }
        var status: Int32 = 0
        guard waitpid(process, &status, WNOHANG) == process else { return true }
        close(input)
        self.status = status
        return false
    }

    /// The wait status, 0 for a clean end.
    @discardableResult
    func wait() -> Int32 {
        if let status { return status }
        close(input)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        self.status = status
        return status
    }

    deinit { if status == nil { kill() } }
}
