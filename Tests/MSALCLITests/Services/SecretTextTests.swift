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

    @Test(arguments: [
        ("\u{FEFF}s3cret", 1), ("s3\u{200B}cret", 3), ("s3cret\r", 7), ("s3cret\u{2028}", 7), ("sécret", 2),
    ])
    func `a character outside printable ASCII is rejected with its position`(_ text: String, _ position: Int) throws {
        let path = try file(Data(text.utf8))

        let inFile = #expect(throws: Failure.self) { try read(path) }
        let inVariable = #expect(throws: Failure.self) {
            try SecretText.secret(in: text, from: "The variable S of --client-secret-env")
        }

        let reason = "has a character at position \(position) that is not printable ASCII. Nothing was sent."
        #expect(inFile?.message == "The file \(path) of --client-secret-file \(reason)")
        #expect(inVariable?.message == "The variable S of --client-secret-env \(reason)")
    }

    @Test(arguments: ["s3cret\n", "s3cret\r\n", " s3 cret "])
    func `a variable loses one line end and keeps its spaces`(_ text: String) throws {
        let secret = try SecretText.secret(in: text, from: "The variable").exposed

        #expect(secret == (text.hasPrefix(" ") ? text : "s3cret"))
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

/// Damaged secrets.
struct SecretTextFuzzTests {
    @Test func `an accepted secret is printable ASCII, and an error shows no part of a rejected one`() {
        var fuzz = Fuzz(
            corpus: ["s3cret\r\n", "\u{FEFF}s3cret", "s3\u{200B}cret", "s~taken\n\n", " s3cret "].map {
                Array($0.utf8)
            },
            words: ["\r", "\n", "\r\n", "\u{2028}", "\u{301}", "\u{7F}", " "]
        )

        fuzz.run { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            do throws(Failure) {
                let secret = try SecretText.secret(in: text, from: "The variable")
                #expect(secret.exposed.utf8.allSatisfy { (0x20...0x7E).contains($0) })
                #expect(text.utf8.starts(with: secret.exposed.utf8) && text.utf8.count - secret.exposed.utf8.count <= 2)
            } catch {
                #expect(error.status == .usage && !error.message.contains("s3") && !error.message.contains("s~"))
            }
        }
    }
}
