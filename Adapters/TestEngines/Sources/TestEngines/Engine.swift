// Licensed under the MIT License. See LICENSE.
import Dispatch
public import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// A server that a test starts in a separate folder, pauses, kills and starts again. It ends with the test.
public final class Engine: Sendable {
    /// The folder of the server's files.
    public let folder: URL
    private let program: String
    private let arguments: [String]
    private let readyText: String
    private let process = Mutex<Process?>(nil)

    /// Starts a server; the ready text, in lowercase, is what it prints when it accepts connections.
    public init(_ program: String, arguments: [String], folder: URL, readyText: String) async throws {
        self.program = program
        self.arguments = arguments
        self.folder = folder
        self.readyText = readyText
        try await start()
    }

    deinit { kill() }

    /// Starts the server, and returns when it accepts connections.
    public func start() async throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.currentDirectoryURL = folder
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        pipe.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            if data.isEmpty {
                handle.readabilityHandler = nil
                continuation.finish()
            } else {
                continuation.yield(String(decoding: data, as: UTF8.self))
            }
        }
        try process.run()
        self.process.withLock { $0 = process }
        var output = ""
        for await line in lines {
            output += line
            // The handler keeps reading, so that a full pipe never blocks the server.
            if output.lowercased().contains(readyText) { return }
        }
        throw Failure(output: output)
    }

    /// Kills the server, like a crash of its machine.
    public func kill() {
        process.withLock { process in
            guard let process else { return }
            Foundation.kill(process.processIdentifier, SIGCONT)
            Foundation.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }

    /// The server keeps its connections and stops responding.
    public func pause() { signal(SIGSTOP) }

    /// Resumes a paused server.
    public func resume() { signal(SIGCONT) }

    private func signal(_ number: Int32) {
        process.withLock { if let process = $0 { _ = Foundation.kill(process.processIdentifier, number) } }
    }

    /// A program that ended or failed.
    public struct Failure: Error {
        /// Its output.
        public let output: String
    }
}

/// A new folder, which other users may enter.
public func temporaryFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "engine-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
}

/// A free port.
public func freePort() async throws -> Int {
    let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup).bind(
        host: "127.0.0.1",
        port: 0
    ).get()
    defer { channel.close(promise: nil) }
    return channel.localAddress?.port ?? 0
}

/// Runs a program, and returns its output. A program that fails is an error.
@discardableResult
public func output(of program: String, _ arguments: [String]) async throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    // Not on a thread of the tests, of which there are only as many as processors.
    let (text, status) = await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
            let data = pipe.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            continuation.resume(returning: (String(decoding: data, as: UTF8.self), process.terminationStatus))
        }
    }
    guard status == 0 else { throw Engine.Failure(output: text) }
    return text
}

/// An authority, `ca.pem`, and its certificates for `localhost` with these names, such as `server.pem` and `server.key`.
public func makeCertificates(_ names: [String], in folder: URL) async throws {
    func file(_ name: String) -> String { folder.appending(path: name).path }
    let days = ["-days", "2"]
    let newKey = ["req", "-newkey", "rsa:2048", "-nodes"]
    try Data("subjectAltName=DNS:localhost".utf8).write(to: folder.appending(path: "names"))
    try await output(
        of: "openssl",
        newKey + ["-x509", "-keyout", file("ca.key"), "-out", file("ca.pem"), "-subj", "/CN=Tests"] + days
    )
    for name in names {
        try await output(
            of: "openssl",
            newKey + ["-keyout", file("\(name).key"), "-out", file("\(name).csr"), "-subj", "/CN=\(name)"]
        )
        let authority = ["-CA", file("ca.pem"), "-CAkey", file("ca.key"), "-CAcreateserial"]
        try await output(
            of: "openssl",
            ["x509", "-req", "-in", file("\(name).csr"), "-out", file("\(name).pem"), "-extfile", file("names")]
                + authority + days
        )
    }
}
