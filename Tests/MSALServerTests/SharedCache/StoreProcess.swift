// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALServer
import SocketStore
import Synchronization
import TestSupport

/// A store in a separate process. It ends with the test.
final class StoreProcess: Sendable {
    struct Failure: Error { let description: String }

    let store: SocketStore
    private let folder: URL
    private let process = Mutex<StartedProgram?>(nil)

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        store = SocketStore(socket: folder.appending(path: "s").path)
        try start()
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Starts the process, and returns when it accepts connections.
    func start() throws {
        let process = try StartedProgram(try Self.program().path, [folder.appending(path: "s").path])
        self.process.withLock { $0 = process }
        // It writes one line, or exits.
        guard !process.nextText().isEmpty else {
            throw Failure(description: "StoreServer exited before it was ready.")
        }
    }

    /// Kills the process. The content of the store is lost.
    func kill() {
        process.withLock { process in
            process?.stop()
            process = nil
        }
    }

    /// The program next to the one that runs the tests.
    private static func program() throws -> URL {
        let tests = Bundle.main.executablePath
        // Swift Testing's helper runs the tests from the bundle that it was started with.
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
        for place in [tests, bundle].compactMap({ $0 }) {
            let program = URL(filePath: place).deletingLastPathComponent().appending(path: "StoreServer")
            if FileManager.default.isExecutableFile(atPath: program.path) { return program }
        }
        throw Failure(description: "There is no StoreServer next to the tests.")
    }
}
