// Licensed under the MIT License. See LICENSE.

import Foundation
import TestSupport
import Testing

@testable import MSALCLI

/// Secrets in files, some of them invalid.
struct SecretTextTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func file(_ bytes: Data) throws -> String {
        let path = folder.path + "/secret"
        try bytes.write(to: URL(filePath: path))
        return path
    }

    private func read(_ path: String) throws(Failure) -> String {
        try SecretText.read(path, named: "The file \(path) of --client-secret-file").exposed
    }

    @Test(arguments: ["s~taken", "s~taken\n", "s~taken\r\n"])
    func `a secret is read without the trailing line break`(_ text: String) throws {
        #expect(try read(file(Data(text.utf8))) == "s~taken")
    }

    @Test func `a secret has at most 1024 bytes`() throws {
        let longest = String(repeating: "s", count: 1_024)

        #expect(try read(file(Data((longest + "\r\n").utf8))) == longest)
        for text in [longest + "s", longest + "s\n", longest + "sss", String(repeating: "s", count: 70_000)] {
            #expect(throws: Failure.self) { try read(file(Data(text.utf8))) }
        }
    }

    @Test(arguments: [
        "", "\n", "  \n", "s~taken\n\n", "s~taken\nother\n", "s~taken\t1", "s~\u{1B}[31m",
        "-----BEGIN CERTIFICATE-----\nMIIE\n",
    ])
    func `an invalid secret is an invalid setting, and no part of it is shown`(_ text: String) throws {
        let path = try file(Data(text.utf8))

        let failure = #expect(throws: Failure.self) { try read(path) }

        #expect(failure?.status == .usage)
        #expect(failure?.message.contains(path) == true)
        #expect(failure?.message.contains("s~") == false && failure?.message.contains("MIIE") == false)
    }

    @Test func `bytes that are not text, a folder and a device are not secrets`() throws {
        for path in [try file(Data([0xFF, 0x00])), folder.path, "/dev/zero", folder.path + "/none"] {
            #expect(throws: Failure.self) { try read(path) }
        }
    }

    @Test func `a secret may be read from a pipe of the shell`() throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("s~taken\n".utf8))
        try pipe.fileHandleForWriting.close()

        #expect(try read("/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)") == "s~taken")
    }
}
