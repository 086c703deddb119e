// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import ScriptedAgent
import Synchronization
import TestSupport
import Testing

@testable import MSAL

/// The desktop starts a separate process for a redirect to an app's scheme. Here it is `msal redirect`, as in a desktop
/// entry. The app that waits is this process (docs/reference/RedirectURIs.md#relay).
@Suite(.timeLimit(.minutes(1)))
struct RedirectProcessTests {
    private typealias Outcome = CommandRunner.Outcome

    private let directory: TemporaryDirectory
    private var folder: URL { directory.url }

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func `the process that the desktop started passes on the redirect, once`() async throws {
        let (account, outcomes) = try await signIn { redirect, hand in
            let taken = try await hand(redirect)
            return [taken, try await hand(redirect)]
        }

        #expect(account == "megan@contoso.example")
        #expect(outcomes.map(\.status) == [0, 1])
        #expect(outcomes[0].output.isEmpty && outcomes[0].errors.isEmpty)
        #expect(outcomes[1].errors.contains("No sign-in of this user is waiting for this redirect"))
        #expect(try sockets().isEmpty)
    }

    @Test func `addresses other than the response are rejected, and the sign-in continues`() async throws {
        let (account, outcomes) = try await signIn { redirect, hand in
            let foreign = [
                "msauth.com.contoso.app://auth?code=stolen-code&state=another",
                "msauth.com.contoso.app://auth?code=stolen-code",
                redirect.replacing("://auth", with: "://other"), redirect.replacing("contoso.app", with: "evil.app"),
                "msauth.com.contoso.app://auth?" + String(repeating: "stolen-code", count: 7_000),
                "msauth.com.contoso.app://auth?code=stolen-code\nstate=1", "no address", "",
            ]
            var outcomes: [Outcome] = []
            for address in foreign { outcomes.append(try await hand(address)) }
            try shout(at: try #require(sockets().first))
            outcomes.append(try await hand(redirect))
            return outcomes
        }

        #expect(account == "megan@contoso.example")
        #expect(outcomes.dropLast().allSatisfy { $0.status != 0 })
        #expect(outcomes.last?.status == 0)
        for outcome in outcomes { #expect(!(outcome.output + outcome.errors).contains("stolen-code")) }
    }

    /// What may exist at the path of the directory of the sockets.
    enum Place: CaseIterable {
        case openToOthers, link, file, another
    }

    @Test(arguments: Place.allCases)
    func `a directory that may be another user's gets no part of the redirect`(_ place: Place) async throws {
        let listener = try SocketListener(in: folder.appending(path: "real"))
        let directory = folder.appending(path: "msal").path()
        switch place {
        case .openToOthers:
            try FileManager.default.moveItem(atPath: listener.directory, toPath: directory)
            try #require(chmod(directory, 0o711) == 0)
        case .link: try #require(symlink(listener.directory, directory) == 0)
        case .file: try Data("socket".utf8).write(to: URL(filePath: directory))
        case .another:
            try FileManager.default.moveItem(atPath: listener.directory, toPath: directory)
            // Only root can change the owner of a directory. For others it is another directory that others can access.
            let isGiven = geteuid() == 0 ? chown(directory, 65_534, 65_534) == 0 : chmod(directory, 0o770) == 0
            try #require(isGiven)
        }

        let outcome = try await hand("msauth.com.contoso.app://auth?code=stolen-code&state=1")

        #expect(outcome.status == 1)
        #expect(!listener.wasCalled)
        #expect(!outcome.errors.contains("stolen-code"))
    }

    @Test(arguments: ["", "take", "unknown", "\u{0}\u{0}\u{0}\u{0}\u{0}"])
    func `a listener that does not acknowledge the redirect has not accepted it`(_ answer: String) async throws {
        let listener = try SocketListener(in: folder.appending(path: "msal"), answer: answer)

        let outcome = try await hand("msauth.com.contoso.app://auth?code=1&state=1")

        #expect(outcome.status == 1)
        #expect(listener.wasCalled)
    }

    @Test(arguments: [nil, "", "relative", "/nonexistent"])
    func `without a runtime directory no sign-in is found`(_ runtime: String?) async throws {
        let runner = try CommandRunner(runtime.map { ["XDG_RUNTIME_DIR": $0] } ?? [:])

        let outcome = try await runner.run("redirect", "msauth.com.contoso.app://auth?code=1&state=1")

        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("start it again"))
    }

    /// Signs in with a redirect of the app's own scheme. `story` receives the redirect once the browser has it, and a
    /// function that passes addresses to a separate process.
    private func signIn(
        _ story:
            @escaping @Sendable (
                _ redirect: String,
                _ hand: @escaping @Sendable (String) async throws -> Outcome
            ) async throws -> [Outcome]
    ) async throws -> (account: String?, outcomes: [Outcome]) {
        let entries = folder.appending(path: "data/applications")
        try FileManager.default.createDirectory(
            at: entries,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let entry = "[Desktop Entry]\nExec=msal redirect %u\nMimeType=x-scheme-handler/msauth.com.contoso.app;\n"
        try Data(entry.utf8).write(to: entries.appending(path: "com.contoso.app.desktop"))
        let environment = ["XDG_RUNTIME_DIR": folder.path(), "XDG_DATA_HOME": folder.appending(path: "data").path()]

        var account: String?
        var outcomes: [Outcome] = []
        try await EndToEndScenario.run(
            configure: { configuration, _ in
                configuration.applicationID = "com.contoso.app"
                configuration.redirectUri = "msauth.com.contoso.app://auth"
            },
            machine: { SystemMachine.platform(caFile: $0, environment) }
        ) { scenario in
            let (opened, continuation) = AsyncStream.makeStream(of: URL.self)
            let webview = MSALWebviewParameters()
            webview.onOpen = { continuation.yield($0) }
            let (application, emulator) = (scenario.application, scenario.emulator)
            let parameters = MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: webview)
            async let told: [Outcome] = {
                var iterator = opened.makeAsyncIterator()
                let page = try #require(await iterator.next())
                let agent = ScriptedAgent(
                    script: Script(
                        userName: emulator.seed.megan.userPrincipalName,
                        password: Script.Password(emulator.seed.password),
                        consent: .accept
                    ),
                    certificateAuthorityFile: emulator.certificateAuthorityFile
                )
                let redirect = try await agent.run(page)
                try #require(redirect.ending == .appScheme)
                return try await story(redirect.url.absoluteString, hand)
            }()
            let result = try await application.acquireToken(with: parameters)
            account = result.account.username
            outcomes = try await told
        }
        return (account, outcomes)
    }

    /// Runs `msal redirect` as a process of this login session.
    @Sendable private func hand(_ address: String) async throws -> Outcome {
        try await CommandRunner(["XDG_RUNTIME_DIR": folder.path()]).run("redirect", "--", address)
    }

    private func sockets() throws -> [String] {
        let directory = folder.appending(path: "msal").path()
        return try FileManager.default.contentsOfDirectory(atPath: directory).map { "\(directory)/\($0)" }
    }

    /// Sends more than any redirect has, without an end.
    private func shout(at path: String) throws {
        let descriptor = try unixSocket(path, use: Glibc.connect)
        defer { close(descriptor) }
        let noise = [UInt8](repeating: 0xFF, count: 100_000)
        // The other end may close before the end of the text, as it should.
        _ = send(descriptor, noise, noise.count, Int32(MSG_NOSIGNAL))
    }
}

/// A socket in a private directory, with a listener that replies to every message with the same bytes.
private final class SocketListener: Sendable {
    let directory: String
    private let descriptor: Int32

    init(in folder: URL, answer: String = "taken") throws {
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        directory = folder.path()
        let descriptor = try unixSocket("\(directory)/0.socket", use: Glibc.bind)
        self.descriptor = descriptor
        try #require(listen(descriptor, 4) == 0)
        calls = Calls()
        let calls = calls
        // Ends when the socket is shut down.
        Thread.detachNewThread {
            while case let connection = accept(descriptor, nil, nil), connection >= 0 {
                calls.count.withLock { $0 += 1 }
                _ = Array(answer.utf8).withUnsafeBytes {
                    send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                close(connection)
            }
            close(descriptor)
        }
    }

    private final class Calls: Sendable {
        let count = Mutex(0)
    }
    private let calls: Calls

    var wasCalled: Bool { calls.count.withLock { $0 > 0 } }

    deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }
}

/// A Unix domain socket, after `use`: `bind` or `connect`.
private func unixSocket(
    _ path: String,
    use: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            use(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
    try #require(result == 0)
    return descriptor
}
