// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// Directories that are written as files and read again.
struct DirectoryExportTests {
    @Test(arguments: EmulatorDirectory.FileFormat.allCases)
    func `what an emulator holds is a file that says the same`(format: EmulatorDirectory.FileFormat) async throws {
        let start = try EmulatorDirectory(text: EmulatorDirectory.startingFile)
        try await Bench.run({ $0.directory = start }) { bench in
            let text = try await bench.emulator.directory().text(as: format, withSecrets: true)

            #expect(try EmulatorDirectory(text: text) == start, "\(text)")
        }
    }

    @Test(arguments: EmulatorDirectory.FileFormat.allCases)
    func `the default directory is served from its own file`(format: EmulatorDirectory.FileFormat) async throws {
        var text = ""
        try await Bench.run { text = try await $0.emulator.directory().text(as: format, withSecrets: true) }
        let read = try EmulatorDirectory(text: text)
        try await Bench.run({ $0.directory = read }) { bench in
            let again = try await bench.emulator.directory().text(as: format, withSecrets: true)
            let tokens = try await bench.tokens()

            #expect(again == text)
            #expect(tokens["access_token"] != nil)
        }
    }

    @Test func `texts that YAML takes for something else are read as they were`() throws {
        var directory = try EmulatorDirectory(text: EmulatorDirectory.startingFile)
        let texts = [
            "yes", "null", "~", "12345", "1e3", "0x1F", "2030-12-31", "- a", "a: b", "a #b", "*", "*\u{301}", "&a",
            "!x", "'", "\"",
            " a ",
            "line\nline", "tab\t", "caf\u{E9} \u{1F600}", "{}", "[]", "a:", "%", "@", "`", "\u{E000}",
            "x" + String(repeating: " y", count: 200),
        ]
        for (index, text) in texts.enumerated() {
            var user = directory.users[0]
            user.id = "aaaaaaaa-0000-4000-8000-0000000001" + String(format: "%02d", index)
            user.userPrincipalName = "user\(index)@tailspin.example"
            user.password = text
            user.jobTitle = text
            directory.users.append(user)
        }

        for format in EmulatorDirectory.FileFormat.allCases {
            let read = try EmulatorDirectory(text: directory.text(as: format, withSecrets: true))
            for (one, other) in zip(read.users, directory.users) { #expect(one == other, "\(other.jobTitle ?? "")") }
            #expect(read == directory)
        }
    }

    @Test func `an export without secrets contains none, and the file says what to do`() throws {
        let directory = try EmulatorDirectory(text: EmulatorDirectory.startingFile)

        let text = try directory.text()
        let failure = #expect(throws: EmulatorDirectory.InvalidFile.self) { try EmulatorDirectory(text: text) }

        for secret in ["Emulator-pass1", "Another-pass1", "Tailspin-secret-1", "Tailspin-secret-2"] {
            #expect(!text.contains(secret))
        }
        #expect(failure?.issues.count == 4)
        #expect(
            failure?.description.contains("insert the secret, or export the directory with --with-secrets")
                == true
        )
    }

    @Test func `a password that was changed is exported as a digest, which counts`() async throws {
        var text = ""
        try await Bench.run { bench in
            try await bench.emulator.changeUser("megan@contoso.example") { $0.password = "Another-pass1" }
            let user = try #require(
                try await bench.emulator.directory().users.first { $0.displayName == "Megan Bowen" }
            )
            #expect(user.password == "Another-pass1")
        }
        let data = Bench.stateDirectory.appendingPathComponent("data-\(UUID().uuidString)")
        try await Bench.run({ $0.dataDirectory = data }) { bench in
            try await bench.emulator.changeUser("megan@contoso.example") { $0.password = "Another-pass1" }
        }
        // Another process knows the digest only.
        try await Bench.run({ $0.dataDirectory = data }) { bench in
            text = try await bench.emulator.directory().text(withSecrets: true)
        }
        let read = try EmulatorDirectory(text: text)
        try await Bench.run({ $0.directory = read }) { bench in
            let old = try await Browser(bench).signIn(bench.authorizeURL())
            let new = try await Browser(bench).signIn(bench.authorizeURL(), password: "Another-pass1")

            #expect(!text.contains("Another-pass1"))
            #expect(text.contains("passwordDigest: "))
            #expect(old.parameters["code"] == nil)
            #expect(new.parameters["code"] != nil)
        }
    }

    @Test func `the published schema is the one that the reader goes by`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../../..")

        let published = try String(contentsOf: root.appending(path: "docs/entra-emulator.schema.json"), encoding: .utf8)

        // To publish it again: entra-emulator seed schema > docs/entra-emulator.schema.json
        #expect(EmulatorDirectory.schema == published)
    }

    @Test func `the schema names the value of each member that is left out`() throws {
        let schema = try #require(
            try JSONSerialization.jsonObject(with: Data(EmulatorDirectory.schema.utf8)) as? [String: Any]
        )
        let definitions = try #require(schema["$defs"] as? [String: [String: Any]])
        let short: [(String, any Encodable)] = try [
            ("tenant", Self.decoded(EmulatorDirectory.Tenant.self, from: #"{"domain":"a"}"#)),
            ("user", Self.decoded(EmulatorDirectory.User.self, from: #"{"userPrincipalName":"a@b"}"#)),
            ("customer", Self.decoded(CustomerProfile.self, from: "{}")),
            ("strongMethod", Self.decoded(StrongMethod.self, from: #"{"address":"a@b"}"#)),
            ("group", Self.decoded(EmulatorDirectory.Group.self, from: #"{"tenant":"a","displayName":"b"}"#)),
            ("application", Self.decoded(EmulatorDirectory.Application.self, from: #"{"clientId":"a"}"#)),
            (
                "federatedCredential",
                Self.decoded(EmulatorDirectory.FederatedCredential.self, from: #"{"issuer":"a","subject":"b"}"#)
            ),
            ("nativeSettings", Self.decoded(NativeAuthSettings.self, from: "{}")),
            ("registrationWords", Self.decoded(NativeAuthV2Settings.RegistrationWords.self, from: "{}")),
            ("nativePolicy", Self.decoded(NativePolicy.self, from: "{}")),
            ("attribute", Self.decoded(AttributeRule.self, from: #"{"name":"a"}"#)),
            ("api", Self.decoded(EmulatorDirectory.API.self, from: #"{"clientId":"a"}"#)),
            (
                "managedIdentity",
                Self.decoded(EmulatorDirectory.ManagedIdentity.self, from: #"{"name":"a","tenant":"b"}"#)
            ),
        ]
        for (name, value) in short {
            let properties = try #require(definitions[name]?["properties"] as? [String: [String: Any]], "\(name)")
            let data = try JSONEncoder().encode(value)
            let members = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            for (member, property) in properties {
                guard let standard = property["default"] else { continue }
                #expect(
                    (members[member] as? NSObject) == (standard as? NSObject),
                    "\(name).\(member): \(String(describing: members[member]))"
                )
            }
        }
    }

    private static func decoded<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }
}
