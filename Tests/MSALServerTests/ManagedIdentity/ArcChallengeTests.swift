// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALServer
import TestSupport
import Testing

/// The challenge of Azure Arc's agent, with real files, links and permissions.
struct ArcChallengeTests {
    private let folder: TemporaryDirectory
    private let place: String

    init() throws {
        folder = try TemporaryDirectory()
        place = folder.path.hasSuffix("/") ? String(folder.path.dropLast()) : folder.path
    }

    /// Calls an agent that names a file, and returns the error and the requests.
    private func fault(
        naming name: String,
        identity: MSALManagedIdentityId = .systemAssigned,
        then answer: ScriptedTransport.Response? = nil
    ) async throws -> (error: MSALTokenError, requests: Int) {
        let transport = ScriptedTransport([
            .json("{}", status: 401, headers: ["WWW-Authenticate": "Basic realm=\(place)/\(name)"])
        ])
        if let answer { transport.append(answer) }
        let application = MSALManagedIdentityApplication(identity: identity, environment: environment(transport))
        let error = try await failure { () async throws(MSALTokenError) in
            try await application.acquireToken(resource: "https://vault.azure.net")
        }
        return (error, transport.messages.count)
    }

    private func environment(_ transport: ScriptedTransport) -> ServerEnvironment {
        var environment = ServerEnvironment.double(
            variables: ["IDENTITY_ENDPOINT": "http://127.0.0.1:40342/x", "IMDS_ENDPOINT": "http://127.0.0.1:40342"],
            files: SystemFiles(),
            metadataTransport: transport
        )
        environment.arcTokenFolder = place
        return environment
    }

    private func write(_ content: String, to name: String) throws {
        try Data(content.utf8).write(to: folder.url.appending(path: name))
    }

    private func check(
        _ outcome: (error: MSALTokenError, requests: Int),
        is fault: ArcChallenge.Fault
    ) {
        #expect(outcome.error.kind == .invalidChallenge)
        #expect(outcome.error.message.contains(fault.words))
        #expect(outcome.requests == 1)
    }

    @Test func `a link is not followed, wherever it leads`() async throws {
        try write("c2VjcmV0", to: "real.key")
        for target in ["real.key", "/etc/passwd", "nothing"] {
            let link = folder.url.appending(path: "link.key")
            try? FileManager.default.removeItem(at: link)
            try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: target)

            check(try await fault(naming: "link.key"), is: .link)
        }
    }

    @Test func `a folder, a pipe and a missing file are rejected`() async throws {
        let url = folder.url.appending(path: "folder.key")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        #expect(mkfifo(folder.url.appending(path: "pipe.key").path, 0o600) == 0)

        for name in ["folder.key", "pipe.key", "missing.key"] {
            check(try await fault(naming: name), is: .file)
        }
    }

    @Test func `a file of 4097 bytes is too large`() async throws {
        try write(String(repeating: "x", count: 4097), to: "large.key")

        check(try await fault(naming: "large.key"), is: .size)
    }

    @Test(arguments: ["", "\n", "abc\r\nX-Evil: 1", "a\u{0}b", "\u{1B}[31m", "schlüssel"])
    func `a file that could inject a header is not sent`(content: String) async throws {
        try write(content, to: "a.key")

        check(try await fault(naming: "a.key"), is: .content)
    }

    // File permissions do not apply to root.
    @Test(.enabled(if: getuid() != 0, "Root may read every file."))
    func `an unreadable file refers to the group`() async throws {
        try write("c2VjcmV0", to: "a.key")
        #expect(chmod(folder.url.appending(path: "a.key").path, 0) == 0)

        let outcome = try await fault(naming: "a.key")

        check(outcome, is: .file)
        #expect(outcome.error.message.contains("himds"))
    }

    @Test(arguments: [
        "../a.key", "sub/a.key", "./a.key", ".key", "a.key.txt", "a,b.key", "a\"b.key", "a b.key", "ä.key",
    ])
    func `a name outside the folder is rejected`(name: String) async throws {
        let outcome = try await fault(naming: name)

        #expect(outcome.error.kind == .invalidChallenge)
        #expect(outcome.requests == 1)
    }

    @Test(arguments: [
        "Basic realm=PLACE/a.key, Basic realm=PLACE/b.key", "Bearer realm=PLACE/a.key", "Basic", "Basic realm=",
        "Basic realm=\"PLACE/a.key", "Basic realm=PLACE/a.key; x=1", "Basic realm=PLACE/a.key, charset=\"UTF-8\"",
        "basic  realm=PLACE/a.key",
    ])
    func `a challenge of another form is rejected`(header: String) async throws {
        let header = header.replacing("PLACE", with: place)

        #expect(throws: ArcChallenge.Fault.header) { try ArcChallenge(header: header, folder: place) }
    }

    @Test func `a second challenge is an error, and its key is not shown`() async throws {
        try write("c2VjcmV0\n", to: "a.key")
        let answer = ScriptedTransport.Response.json(
            #"{"error":"unauthorized_client","error_description":"The key c2VjcmV0 is spent."}"#,
            status: 401,
            headers: ["WWW-Authenticate": "Basic realm=\(place)/b.key"]
        )

        let outcome = try await fault(naming: "a.key", then: answer)

        #expect(outcome.error.kind == .refused)
        #expect(outcome.error.message.contains("is spent"))
        #expect(!outcome.error.message.contains("c2VjcmV0"))
        #expect(outcome.requests == 2)
    }

    @Test(arguments: [
        #"{"access_token":"at","expires_in":"3600"}"#,
        #"{"access_token":"at","expires_in":"3600","client_id":"853b9a84-5bfa-4b22-a3f3-0b9a43d9ad8a"}"#,
        #"{"access_token":"at","expires_in":"3600","object_id":"5e29463d-71da-4fe0-8e69-999b57db23b0"}"#,
    ])
    func `a response for another identity yields no token`(answer: String) async throws {
        try write("c2VjcmV0", to: "a.key")

        let outcome = try await fault(
            naming: "a.key",
            identity: .clientId("5e29463d-71da-4fe0-8e69-999b57db23b0"),
            then: .json(answer)
        )

        #expect(outcome.error.kind == .identityNotConfirmed)
        #expect(!outcome.error.message.contains("\"at\""))
    }

    @Test func `a challenge of any bytes names a file of the folder, or none`() {
        var fuzz = Fuzz(
            corpus: [
                Array("Basic realm=/tokens/a.key".utf8), Array("Basic realm=\"/tokens/a.key\"".utf8),
                Array("Basic realm=/tokens/../a.key, Basic realm=/tokens/b.key".utf8),
            ],
            words: ["/tokens/", "../", ".key", "realm=", "Basic ", "%2e%2e/", "\\"]
        )
        fuzz.run { bytes in
            let header = String(decoding: bytes, as: UTF8.self)
            guard let challenge = try? ArcChallenge(header: header, folder: "/tokens") else { return }
            #expect(challenge.name.hasSuffix(".key"))
            #expect(!challenge.name.contains("/") && !challenge.name.hasControlCharacters)
        }
    }
}
