// Licensed under the MIT License. See LICENSE.

import Foundation
import TestSupport
import Testing

@testable import MSAL

/// The agent waits for a redirect in a separate login session. The relay acts as the process that the desktop starts.
struct RedirectRelayTests {
    /// A runtime directory, its relay, and a visit that waits for `msauth.com.contoso.app://auth`.
    struct Session {
        let directory: TemporaryDirectory
        let relay: RedirectRelay
        let visit: Task<AuthorizationReturn, any Error>

        var runtime: URL { directory.url }

        var sockets: [String] {
            let folder = runtime.appending(path: "msal").path()
            // A directory that was never created has no sockets.
            return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).map { "\(folder)/\($0)" }
        }
    }

    private func session(_ prepare: (URL) throws -> Void = { _ in }) async throws -> Session {
        let directory = try TemporaryDirectory()
        try prepare(directory.url)
        let environment = ["XDG_RUNTIME_DIR": directory.path]
        let redirect = try #require(URL(string: "msauth.com.contoso.app://auth"))
        let (opened, continuation) = AsyncStream.makeStream(of: Void.self)
        let visit = AuthorizationVisit(
            redirect: .scheme(redirect),
            expectedState: "Uw",
            window: BrowserWindow(onOpen: { _ in }, onLaunch: { _ in continuation.yield() }),
            url: { _ in redirect }
        )
        let agent = SystemBrowserAgent(environment: environment, inbox: RedirectInbox(), time: ManualTime())
        let task = Task<AuthorizationReturn, any Error> { try await agent.authorize(visit) }  // Awaited by the test.
        for await _ in opened { break }
        return Session(directory: directory, relay: try #require(RedirectRelay(environment: environment)), visit: task)
    }

    private func redirect(_ query: String) throws -> URL {
        try #require(URL(string: "msauth.com.contoso.app://auth?\(query)"))
    }

    @Test func `a redirect that another process received ends the visit`() async throws {
        let session = try await session()

        let isTaken = session.relay.send(try redirect("code=abc&state=Uw"))

        #expect(isTaken)
        #expect(try await session.visit.value.parameters["code"] == "abc")
        #expect(session.sockets.isEmpty)
        #expect(!session.relay.send(try redirect("code=abc&state=Uw")))
    }

    private func mode(of path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `only the user can access the directory and the socket`() async throws {
        let session = try await session()
        let socket = try #require(session.sockets.first)

        #expect(try mode(of: session.runtime.appending(path: "msal").path()) == 0o700)
        #expect(try mode(of: socket) == 0o600)
        session.visit.cancel()
    }

    @Test func `a foreign state leaves the visit waiting`() async throws {
        let session = try await session()

        #expect(!session.relay.send(try redirect("code=evil&state=no")))
        #expect(session.relay.send(try redirect("code=abc&state=Uw")))

        #expect(try await session.visit.value.parameters["code"] == "abc")
    }

    @Test func `a socket that a dead process left behind is removed`() async throws {
        let session = try await session { runtime in
            let folder = runtime.appending(path: "msal").path()
            #expect(mkdir(folder, 0o700) == 0)
            try bindAndForget("\(folder)/!first.socket")  // Sorts before every name that a process uses.
        }
        #expect(session.sockets.count == 2)

        #expect(session.relay.send(try redirect("code=abc&state=Uw")))
        _ = try await session.visit.value

        #expect(session.sockets.isEmpty)
    }

    @Test func `a directory that others can access is not used`() async throws {
        let session = try await session { runtime in
            #expect(mkdir(runtime.appending(path: "msal").path(), 0o700) == 0)
            #expect(chmod(runtime.appending(path: "msal").path(), 0o777) == 0)
        }

        #expect(session.sockets.isEmpty)
        #expect(!session.relay.send(try redirect("code=abc&state=Uw")))
        session.visit.cancel()
    }

    @Test func `without a runtime directory there is no relay`() {
        #expect(RedirectRelay(environment: [:]) == nil)
        #expect(RedirectRelay(environment: ["XDG_RUNTIME_DIR": "run"]) == nil)
    }

    /// Leaves a socket behind, as a killed process does.
    private func bindAndForget(_ path: String) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isBound = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        #expect(isBound)
    }
}
