// Licensed under the MIT License. See LICENSE.

import Foundation
import TestSupport
import Testing
import UserFiles

/// Files that users name, in the real file system.
struct UserFileTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func write(_ text: String, mode: mode_t = 0o600) throws -> String {
        let path = folder.path + "/file"
        try Data(text.utf8).write(to: URL(filePath: path))
        try #require(chmod(path, mode) == 0)
        return path
    }

    private func pipe() throws -> String {
        let path = folder.path + "/pipe"
        try #require(mkfifo(path, 0o600) == 0)
        return path
    }

    private func fault(_ file: UserFile) -> FileFault? {
        #expect(throws: FileFault.self) { _ = try file.bytes() }
    }

    @Test func `a system failure is reported with the system's message`() {
        let memory = UserFile("/proc/self/mem", limit: 10)  // There is no memory at its beginning.

        #expect(fault(memory)?.reason == "cannot be read: Input/output error")
    }

    @Test(arguments: [(0, 1), (5, 5), (65_536, 65_536), (65_537, 65_537), (200_000, 1 << 20)])
    func `a file is read completely up to its limit`(_ size: Int, _ limit: Int) throws {
        let path = try write(String(repeating: "a", count: size))

        #expect(try UserFile(path, limit: limit).bytes().count == size)
        if size > 0 { #expect(fault(UserFile(path, limit: size - 1)) == .tooLarge(limit: size - 1)) }
    }

    @Test func `a file that is not regular is rejected without a wait`() throws {
        #expect(fault(UserFile(try pipe(), limit: 10)) == .notRegular)
        #expect(fault(UserFile("/dev/zero", limit: 10, pipeTimeout: .seconds(60))) == .notRegular)
        #expect(fault(UserFile(folder.path, limit: 10)) == .notRegular)
        #expect(fault(UserFile(folder.path + "/none", limit: 10)) == .missing)
    }

    @Test func `reading a pipe without a writer ends at the time limit`() throws {
        #expect(fault(UserFile(try pipe(), limit: 10, pipeTimeout: .zero)) == .late)
    }

    @Test func `a pipe is read to its end, and not beyond the limit`() throws {
        let ends = Pipe()
        try ends.fileHandleForWriting.write(contentsOf: Data("secret\n".utf8))
        try ends.fileHandleForWriting.close()
        let path = "/dev/fd/\(ends.fileHandleForReading.fileDescriptor)"

        #expect(fault(UserFile(path, limit: 3, pipeTimeout: .seconds(60))) == .tooLarge(limit: 3))
    }

    @Test func `a pipe may have a separate limit, which does not apply to files`() throws {
        let ends = Pipe()
        try ends.fileHandleForWriting.write(contentsOf: Data("secret\n".utf8))
        try ends.fileHandleForWriting.close()
        var pipe = UserFile(
            "/dev/fd/\(ends.fileHandleForReading.fileDescriptor)",
            limit: 100,
            pipeTimeout: .seconds(60)
        )
        pipe.pipeLimit = 3
        var file = UserFile(try write("secret\n"), limit: 100, pipeTimeout: .seconds(60))
        file.pipeLimit = 3

        #expect(fault(pipe) == .tooLarge(limit: 3))
        #expect(try file.text() == "secret\n")
    }

    @Test func `a pipe returns what was written to it`() throws {
        let ends = Pipe()
        try ends.fileHandleForWriting.write(contentsOf: Data("secret\n".utf8))
        try ends.fileHandleForWriting.close()
        let path = "/dev/fd/\(ends.fileHandleForReading.fileDescriptor)"

        #expect(try UserFile(path, limit: 100, pipeTimeout: .seconds(60)).text() == "secret\n")
    }

    @Test(arguments: [(mode_t(0o600), true), (0o400, true), (0o640, false), (0o604, false)])
    func `a private file grants no access to others`(_ mode: mode_t, _ isTaken: Bool) throws {
        var file = UserFile(try write("key", mode: mode), limit: 10)
        #expect(try file.text() == "key")

        file.isPrivate = true

        #expect((try? file.text()) == (isTaken ? "key" : nil))
    }

    @Test func `a link is followed only on request`() throws {
        let path = try write("text")
        let link = folder.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        var file = UserFile(link, limit: 10)
        #expect(try file.text() == "text")

        file.followsLinks = false

        #expect(fault(file) == .link)
    }

    @Test func `bytes that are not UTF-8 are reported as such`() throws {
        let path = folder.path + "/bytes"
        try Data([0xFF, 0xFE]).write(to: URL(filePath: path))

        #expect(throws: FileFault.notText) { _ = try UserFile(path, limit: 10).text() }
    }
}
