// Licensed under the MIT License. See LICENSE.

import Foundation
import NIOHTTP1
import Testing

@testable import EntraEmulator

/// Directory files that are read.
struct DirectoryFileTests {
    @Test func `a short file is a whole directory, and ids are derived`() throws {
        let text = """
            tenants:
              - domain: tailspin.example
            defaultPassword: "12345"
            users:
              - userPrincipalName: ada@tailspin.example
              - userPrincipalName: kim@tailspin.example
                password: Another-pass1
            applications:
              - clientId: tasks
                type: web
                redirectUris: [http://localhost/auth]
                secrets: [one, {value: two, name: second, expiresAt: 2030-12-31}]
                grantedScopes: {api://tasks: ['*']}
            apis:
              - clientId: api://tasks
                scopes: [Tasks.Read]
            """

        let directory = try EmulatorDirectory(text: text)
        let again = try EmulatorDirectory(text: text)

        #expect(directory == again)
        #expect(directory.users.map(\.password) == ["12345", "Another-pass1"])
        #expect(UUID(uuidString: directory.users[0].id) != nil)
        #expect(directory.applications[0].secrets.map(\.value) == ["one", "two"])
        #expect(directory.applications[0].secrets[1].expiresAt == Date(timeIntervalSince1970: 1_924_905_600))
        #expect(directory.applications[0].grantedScopes == ["api://tasks": ["*"]])
        #expect(directory.apis.map(\.displayName) == ["Microsoft Graph", "api://tasks"])
        #expect(directory.apis[1].acceptedTokenVersion == 1)
    }

    @Test(arguments: ["\u{FEFF}", ""], ["\r\n", "\n"])
    func `a byte order mark and CR LF do no harm`(mark: String, lineEnd: String) throws {
        let lines = ["tenants:", "  - domain: tailspin.example", "apis:", "  - clientId: 'api://tasks'", ""]

        let directory = try EmulatorDirectory(text: mark + lines.joined(separator: lineEnd))

        #expect(directory.tenants.map(\.domain) == ["tailspin.example"])
        #expect(directory.apis.contains { $0.displayName == "api://tasks" })
    }

    @Test func `an API of the file counts before a resource of the same name`() throws {
        let directory = try EmulatorDirectory(
            text: """
                tenants: [{domain: tailspin.example}]
                apis: [{clientId: vault, identifierUris: ['https://vault.azure.net'], scopes: [Secrets.Read]}]
                resources: [https://vault.azure.net, https://storage.azure.com, https://storage.azure.com]
                """
        )
        let text = try directory.text()

        #expect(directory.resources.count == 3)
        #expect(try EmulatorDirectory(text: text) == directory)
        try directory.validate()
    }

    @Test func `JSON is read too, with its escapes and tabs`() throws {
        let directory = try EmulatorDirectory(
            text: #"""
                {
                \#t"$schema": "entra-emulator.schema.json",
                \#t"tenants": [{"domain": "tailspin.example", "displayName": "Toys \ud83d\ude00 caf\u00e9 \/ \u2a"}],
                \#t"users": null
                }
                """#.replacing("\\u2a", with: "*")
        )

        #expect(directory.tenants[0].displayName == "Toys 😀 café / *")
        #expect(directory.users.isEmpty)
    }

    @Test(arguments: [#"\ue000"#, "\u{E000}", #"\u002a"#, "*", "*\u{301}"])
    func `stars and characters for private use are read as they are written`(text: String) throws {
        let directory = try EmulatorDirectory(text: #"{"tenants":[{"domain":"a.example","displayName":"* \#(text)"}]}"#)

        let expected = try JSONDecoder().decode([String].self, from: Data(#"["* \#(text)"]"#.utf8))
        #expect(directory.tenants.map(\.displayName) == expected)
    }

    @Test(arguments: ["\u{85}", "\u{2028}", "\u{2029}", "\u{85}\u{2028}"])
    func `what only YAML takes for a line break is a character of a JSON text`(text: String) throws {
        let file = #"{"tenants":[{"domain":"a.example","displayName":"a\#(text) b"}]}"#
        let directory = try EmulatorDirectory(text: file)

        for format in EmulatorDirectory.FileFormat.allCases {
            #expect(try EmulatorDirectory(text: directory.text(as: format)) == directory)
        }
        #expect(directory.tenants.map(\.displayName) == ["a\(text) b"])
    }

    @Test func `a certificate may be a file beside the directory file`() throws {
        let folder = try Self.folder()
        let file = folder.appending(path: "directory.yaml")
        try Self.application("certificates: [{file: client.pem}]").write(to: file, atomically: false, encoding: .utf8)

        let missing = #expect(throws: EmulatorDirectory.InvalidFile.self) { try EmulatorDirectory(contentsOf: file) }
        try "no certificate".write(to: folder.appending(path: "client.pem"), atomically: false, encoding: .utf8)
        let wrong = #expect(throws: EmulatorDirectory.InvalidFile.self) { try EmulatorDirectory(contentsOf: file) }
        let certificate = try AssertionSigner().pem
        try certificate.write(to: folder.appending(path: "client.pem"), atomically: false, encoding: .utf8)

        #expect(missing?.issues.map(\.line) == [5])
        #expect(missing?.description.contains("names 'client.pem', which is not a PEM certificate") == true)
        #expect(wrong?.description.contains("names 'client.pem', which is not a PEM certificate") == true)
        #expect(try EmulatorDirectory(contentsOf: file).applications[0].certificates.map(\.pem) == [certificate])
    }

    @Test func `a directory file in the topmost folder may name a certificate below it`() throws {
        let certificate = try Self.folder().appending(path: "client.pem")
        try AssertionSigner().pem.write(to: certificate, atomically: false, encoding: .utf8)
        let text = Self.application("certificates: [{file: \(certificate.path.dropFirst())}]")

        let file = try DirectoryFile(FileText(text), folder: URL(filePath: "/"))

        #expect(file.issues.isEmpty)
        #expect(file.directory?.applications[0].certificates.count == 1)
    }

    @Test(arguments: ["../outside.pem", "link.pem", "folder/inside.pem", "/etc/hostname"])
    func `a certificate outside the folder is not read`(name: String) throws {
        let folder = try Self.folder()
        let own = folder.appending(path: "own")
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: false)
        let outside = folder.appending(path: "outside.pem")
        try AssertionSigner().pem.write(to: outside, atomically: false, encoding: .utf8)
        try AssertionSigner().pem.write(
            to: folder.appending(path: "inside.pem"),
            atomically: false,
            encoding: .utf8
        )
        try FileManager.default.createSymbolicLink(at: own.appending(path: "link.pem"), withDestinationURL: outside)
        try FileManager.default.createSymbolicLink(at: own.appending(path: "folder"), withDestinationURL: folder)
        let file = own.appending(path: "directory.yaml")
        try Self.application("certificates: [{file: \(name)}]").write(to: file, atomically: false, encoding: .utf8)

        let refusal = #expect(throws: EmulatorDirectory.InvalidFile.self) { try EmulatorDirectory(contentsOf: file) }

        #expect(refusal?.description.contains("names '\(name)', which is not a PEM certificate") == true)
    }

    @Test func `no message quotes a file or a text that is not a certificate`() throws {
        let file = try Self.folder().appending(path: "directory.yaml")
        try "db-password: hunter2".write(
            to: file.deletingLastPathComponent().appending(path: "settings.yaml"),
            atomically: false,
            encoding: .utf8
        )
        for certificate in ["{file: settings.yaml}", "{pem: 'db-password: hunter2'}", "'db-password: hunter2'"] {
            try Self.application("certificates: [\(certificate)]").write(to: file, atomically: false, encoding: .utf8)
            let refusal = #expect(throws: EmulatorDirectory.InvalidFile.self) {
                try EmulatorDirectory(contentsOf: file)
            }
            #expect(refusal?.description.contains("hunter2") == false)
        }
    }

    @Test func `the starting file is good, and an emulator serves it`() async throws {
        let directory = try EmulatorDirectory(text: EmulatorDirectory.startingFile)

        try await Bench.run({ $0.directory = directory }) { bench in
            let token = try await bench.send(
                .POST,
                to: "/tailspin/oauth2/v2.0/token",
                form: [
                    "grant_type": "client_credentials", "client_id": "33333333-0000-4000-8000-000000000004",
                    "client_secret": "Tailspin-secret-2", "scope": "api://tailspin-tasks/.default",
                ]
            )
            let claims = try Bench.claims(try token.json()["access_token"])

            #expect(claims["roles"] as? [String] == ["Tasks.Read.All"])
            #expect(claims["aud"] as? String == "33333333-0000-4000-8000-0000000000a1")
        }
    }

    static func folder() throws -> URL {
        let folder = Bench.stateDirectory.appending(path: "seed-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    /// A file with one tenant and one application with this member, in line 5.
    static func application(_ member: String) -> String {
        """
        tenants:
          - domain: tailspin.example
        applications:
          - clientId: tasks
            \(member)
        """
    }
}
