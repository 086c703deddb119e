// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import Testing

/// Directory files that are refused, with the places and the words about them.
struct InvalidFileTests {
    /// A text, and what the description of its issues contains.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let text: String
        let count: Int
        let words: [String]

        init(_ name: String, text: String, count: Int = 1, words: String...) {
            testDescription = name
            self.text = text
            self.count = count
            self.words = words
        }
    }

    static let cases = [
        Case(
            "an unknown member",
            text: DirectoryFileTests.application("redirectURI: [http://localhost]"),
            words: "5:5: applications[0] has an unknown member 'redirectURI'; did you mean 'redirectUris'?"
        ),
        Case(
            "a member as Microsoft Graph calls it",
            text: DirectoryFileTests.application("passwordCredentials: []"),
            words: "did you mean 'secrets'?"
        ),
        Case(
            "a member that is like nothing",
            text: DirectoryFileTests.application("colour: red"),
            words: "unknown member 'colour'; allowed: clientId, displayName, type, redirectUris,"
        ),
        Case(
            "a text in the place of a list",
            text: DirectoryFileTests.application("redirectUris: http://localhost"),
            words: "5:19: applications[0].redirectUris must be a list of strings"
        ),
        Case(
            "a number in the place of a text",
            text: DirectoryFileTests.application("secrets: [12345]"),
            words: "5:15: applications[0].secrets[0] must be a string, not a number; put it in quotes"
        ),
        Case(
            "a truth value of YAML 1.1",
            text: DirectoryFileTests.application("isInFamily: yes"),
            words: "5:17: applications[0].isInFamily must be true or false, not this string"
        ),
        Case(
            "an optional claim that is not built",
            text: DirectoryFileTests.application("optionalClaims: [upn, nickname]"),
            words: "names 'nickname', which does not exist; choose from the optional claims acct, acrs, auth_time, ctry"
        ),
        Case(
            "an unknown value of a registration's setting",
            text: DirectoryFileTests.application("signInAudience: AzureADMyOrganization"),
            words: "5:21: applications[0].signInAudience must be one of AzureADMyOrg, AzureADMultipleOrgs"
        ),
        Case(
            "a switch of a registration as a string",
            text: DirectoryFileTests.application("enableIdTokenIssuance: 'true'"),
            words: "5:28: applications[0].enableIdTokenIssuance must be true or false, not this string"
        ),
        Case(
            "a service principal in a tenant that does not exist",
            text: DirectoryFileTests.application("servicePrincipals: [nowhere.example]"),
            words: "names 'nowhere.example', which does not exist; choose one of the tenants"
        ),
        Case(
            "a directory extension with an invalid name",
            text: DirectoryFileTests.application("extensionProperties: [skype-id]"),
            words: "has the malformed value 'skype-id'; use letters, digits, and underscores"
        ),
        Case(
            "policies that want, or refuse in, a way that is not built",
            text: """
                tenants: [{domain: a.example}]
                policies:
                  - {name: One, grant: [fingerprint]}
                  - {name: Two, grant: [mfa], mode: report}
                  - {name: Three, grant: [block], refusal: 53002}
                """,
            count: 3,
            words: "3:25: policies[0].grant[0] must be one of mfa, compliantDevice, passwordChange, termsOfUse, block",
            "4:37: policies[1].mode must be one of enabled, reportOnly, disabled",
            "5:44: policies[2].refusal must be one of 50074, 50125, 50131, 53000, 53001, 53003, 530003"
        ),
        Case(
            "policies that want nothing",
            text: "tenants: [{domain: a.example}]\npolicies:\n  - {name: One}\n  - {name: Two}\n",
            count: 2,
            words: "3:5: policies[0] 'One' has no grant; add one of mfa, compliantDevice,",
            "4:5: policies[1] 'Two' has no grant"
        ),
        Case(
            "a choice",
            text: DirectoryFileTests.application("type: singlepage"),
            words: "5:11: applications[0].type must be one of public, web, singlePage, api",
            "did you mean 'singlePage'?"
        ),
        Case(
            "a version",
            text: "tenants: [{domain: a.example}]\napis:\n  - {clientId: tasks, accessTokenAcceptedVersion: 3}\n",
            words: "3:51: apis[0].accessTokenAcceptedVersion must be a whole number from 1 to 2, not a number"
        ),
        Case(
            "a date",
            text: DirectoryFileTests.application("secrets: [{value: one, expiresAt: tomorrow}]"),
            words: "5:39: applications[0].secrets[0].expiresAt must be a date such as 2030-12-31"
        ),
        Case(
            "a required member",
            text: "tenants:\n  - displayName: Tailspin\n",
            words: "2:5: tenants[0] has no 'domain'; add it: The domain of its users"
        ),
        Case(
            "a certificate without the name of its file",
            text: DirectoryFileTests.application("certificates: [{file: }]"),
            words: "5:20: applications[0].certificates[0] has no 'pem'; add it: The certificate in PEM"
        ),
        Case("no tenant", text: "users: []\n", words: "1:1: the file has no 'tenants'"),
        Case("a list that has no tenant", text: "tenants: []\n", words: "tenants has no entry; add a tenant"),
        Case(
            "the same member twice",
            text: "tenants: [{domain: a.example}]\nusers: []\nusers: []\n",
            words: "an object contains 'users' more than once; keep only one"
        ),
        Case("a tab", text: "tenants:\n\t- domain: a.example\n", words: "2:1: the text is not YAML: "),
        Case("no YAML", text: "tenants: [\n", words: "the text is not YAML"),
        Case(
            "nothing",
            text: "# only a comment\n",
            words: "the file is empty; create one with: entra-emulator seed init"
        ),
        Case("a list", text: "- tenants\n", words: "1:1: the file is not an object"),
        Case("a second document", text: "tenants: []\n---\ntenants: []\n", words: "2:1: the text is not YAML"),
        Case(
            "an entry that cannot be used",
            text: DirectoryFileTests.application("redirectUris: [http://localhost, localhost]"),
            words: "5:38: applications[0] 'tasks' has the malformed value 'localhost'; use scheme://host"
        ),
        Case(
            "a tenant that does not exist, and another entry that repeats an ID",
            text: """
                tenants:
                  - domain: a.example
                users:
                  - {userPrincipalName: kim@b.example, password: one}
                  - {userPrincipalName: ada@a.example, password: one}
                  - {userPrincipalName: ADA@a.example, password: one, id: 11111111-0000-4000-8000-000000000001}
                """,
            count: 2,
            words:
                "4:5: users[0] 'kim@b.example' names 'b.example', which does not exist; choose one of the tenants: a.ex",
            "6:25: users[2] 'ADA@a.example' repeats 'ADA@a.example', which another entry already uses"
        ),
        Case(
            "a user without a password",
            text: "tenants: [{domain: a.example}]\nusers:\n  - userPrincipalName: ada@a.example\n",
            words: "3:5: users[0] 'ada@a.example' has no password; set one, or add 'defaultPassword'"
        ),
        Case(
            "an API behind Microsoft Graph, which the file leaves out",
            text: "tenants: [{domain: a.example}]\napis:\n  - {clientId: one, scopes: [a/b]}\n",
            words: "3:30: apis[0] 'one' has the malformed value 'a/b'"
        ),
        Case(
            "a resource without a scheme",
            text: "tenants: [{domain: a.example}]\nresources:\n  - https://vault.azure.net\n  - storage\n",
            words: "4:5: resources[1] 'storage' has the malformed value 'storage'; use the URI of the resource"
        ),
        Case(
            "a hidden secret",
            text: DirectoryFileTests.application("secrets: ['<hidden>']"),
            words: "applications[0].secrets[0] is '<hidden>', the placeholder for a secret",
            "export the directory with --with-secrets"
        ),
        Case(
            "an alias",
            text: "tenants: &all\n  - domain: a.example\nusers: *all\n",
            words: "3:8: users starts with *, which is an alias in YAML; aliases are not supported"
        ),
        Case(
            "a star without quotes",
            text: DirectoryFileTests.application("grantedScopes: {tasks: [*]}"),
            words: "put '*' in quotes"
        ),
        Case(
            "several mistakes",
            text: """
                tenants:
                  - domain: a.example
                    colour: red
                applications:
                  - clientId: one two
                  - clientId: three
                    redirectUris: [nowhere]
                    kind: web
                  - clientId: four
                    redirectUris: [ftp]
                """,
            count: 4,
            words: "3:5: tenants[0] has an unknown member 'colour'",
            "5:15: applications[0] 'one two' has the malformed value 'one two'",
            "8:5: applications[1] has an unknown member 'kind'; did you mean 'type'?",
            "10:20: applications[2] 'four' has the malformed value 'ftp'"
        ),
    ]

    @Test(arguments: cases)
    func `what is wrong is named with its place`(_ testCase: Case) {
        let failure = #expect(throws: EmulatorDirectory.InvalidFile.self) { try EmulatorDirectory(text: testCase.text) }
        let text = failure?.description ?? ""

        for words in testCase.words { #expect(text.contains(words), "\(text)") }
        #expect(failure?.issues.count == testCase.count)
    }

    @Test(
        arguments: [
            "secrets: [S3cret: x]", "secrets: [{value: [S3cret]}]", "secrets: {S3cret: 1}", "secrets: [{S3cret: x}]",
            "secrets: S3cret", "secrets: [{value: S3cret, expiresAt: never}]", "type: web, S3cret: *S3cret",
        ]
    )
    func `no message repeats a secret`(member: String) {
        let failure = #expect(throws: EmulatorDirectory.InvalidFile.self) {
            try EmulatorDirectory(text: DirectoryFileTests.application(member))
        }

        #expect(failure?.description.contains("S3cret") == false)
    }

    @Test func `aliases that stand for billions of values cost nothing`() {
        var text = "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
        for (one, other) in zip("abcdefghijklm", "bcdefghijklmn") {
            text += "\(other): &\(other) [" + Array(repeating: "*\(one)", count: 10).joined(separator: ", ") + "]\n"
        }
        text += "? *n\n: *n\ntenants: *n\nusers: *n\n"

        let failure = #expect(throws: EmulatorDirectory.InvalidFile.self) { try EmulatorDirectory(text: text) }

        #expect(failure?.description.contains("aliases are not supported") == true)
    }

    @Test(arguments: ["[", "{a: ", "- ", "? "])
    func `what is nested without end is refused`(part: String) {
        #expect(throws: EmulatorDirectory.InvalidFile.self) {
            try EmulatorDirectory(text: "tenants: \n  " + String(repeating: part, count: 100_000))
        }
    }

    @Test func `a file that cannot be read is named, and stays`() throws {
        let folder = try DirectoryFileTests.folder()
        let file = folder.appending(path: "directory.yaml")
        let bytes = Data("tenants: [{domain: caf\u{E9}}]".unicodeScalars.map { UInt8($0.value) })
        try bytes.write(to: file)

        let wrong = #expect(throws: EmulatorDirectory.InvalidFile.self) { try EmulatorDirectory(contentsOf: file) }
        let missing = #expect(throws: EmulatorDirectory.InvalidFile.self) {
            try EmulatorDirectory(contentsOf: folder.appending(path: "other.yaml"))
        }
        let isFolder = #expect(throws: EmulatorDirectory.InvalidFile.self) { try EmulatorDirectory(contentsOf: folder) }

        #expect(wrong?.description == "\(file.relativePath): the file is not UTF-8 text; save it as UTF-8")
        #expect(try Data(contentsOf: file) == bytes)
        #expect(missing?.description.contains("other.yaml: the file does not exist") == true)
        #expect(isFolder?.description.contains("the file is not a regular file") == true)
    }

    @Test func `a directory is read from a pipe`() throws {
        let pipe = Pipe()
        let text = """
            tenants: [{domain: tailspin.example}]
            apis: [{clientId: vault, identifierUris: ['https://vault.azure.net'], scopes: [Secrets.Read]}]
            """
        try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try pipe.fileHandleForWriting.close()
        let open = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"

        #expect(try EmulatorDirectory(contentsOf: URL(fileURLWithPath: open)) == EmulatorDirectory(text: text))
    }

    @Test(.timeLimit(.minutes(1))) func `a pipe without a writer does not block forever`() throws {
        let pipe = try DirectoryFileTests.folder().appending(path: "directory.yaml")
        try #require(mkfifo(pipe.path, 0o600) == 0)

        let failure = #expect(throws: EmulatorDirectory.InvalidFile.self) {
            try EmulatorDirectory(contentsOf: pipe, pipeTimeout: .milliseconds(10))
        }

        #expect(failure?.description.contains("is a pipe that sent no more data and did not end") == true)
    }

    @Test func `a file that is too large is refused`() throws {
        let file = try DirectoryFileTests.folder().appending(path: "large.yaml")
        #expect(FileManager.default.createFile(atPath: file.path, contents: nil))
        let handle = try FileHandle(forWritingTo: file)
        // A hole in the file takes no space on the disk.
        try handle.truncate(atOffset: 40 << 20)
        try handle.close()

        let failure = #expect(throws: EmulatorDirectory.InvalidFile.self) { try EmulatorDirectory(contentsOf: file) }

        #expect(failure?.description.contains("the file is larger than 32 MiB") == true)
    }
}
