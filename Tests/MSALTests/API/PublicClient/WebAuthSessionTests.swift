// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSAL
import Synchronization
import TestSupport
import Testing

/// The only browser session of the process, and the notifications about its end.
@Suite(.timeLimit(.minutes(1)))
struct WebAuthSessionTests {
    /// The test that made the running call. Notifications carry no sender, but they are posted by its task.
    @TaskLocal private static var test: UUID?

    /// Runs in a separate process because the sign-in of another test would fail while this one is open.
    @Test func `the open session ends as canceled, and a second cancel finds none`() async {
        await #expect(processExitsWith: .success) {
            let time = ManualTime()
            let application = try MSALPublicClientApplication(
                configuration: MSALPublicClientApplicationConfig(clientId: Contoso.clientID),
                platform: Platform(transport: StandInService(), agent: StubAgent.waiting(time), time: time),
                store: MemoryStore(),
                session: .shared,
                registeredSchemes: []
            )
            async let code = Self.failureCode(application)
            await time.untilSomebodySleeps()

            let hasEnded = MSALPublicClientApplication.cancelCurrentWebAuthSession()

            #expect(hasEnded)
            #expect(await code == MSALError.userCanceled.rawValue)
            #expect(!MSALPublicClientApplication.cancelCurrentWebAuthSession())
        }
    }

    @Test func `a finished sign-in is announced`() async throws {
        let bench = try BadInputBench()
        bench.setResponse()

        let posted = try await posted { _ = try await bench.signIn() }

        #expect(posted == [Posted(name: "MSALWebAuthDidCompleteNotification")])
    }

    @Test func `a failed sign-in is announced with its error`() async throws {
        let bench = try BadInputBench(agent: .failing(.canceled))

        let posted = try await posted {
            await #expect(throws: NSError.self) { try await bench.signIn() }
        }

        let code = MSALError.userCanceled.rawValue
        #expect(posted == [Posted(name: "MSALWebAuthDidFailNotification", code: code)])
    }

    @Test func `a token without the browser is not announced`() async throws {
        let bench = try BadInputBench()
        bench.setResponse()

        let posted = try await posted { _ = try await bench.renew() }

        #expect(posted.isEmpty)
    }

    /// A notification, with the code of its error.
    private struct Posted: Equatable {
        var name: String
        var code: Int?
    }

    /// The notifications that `body` posts.
    private func posted(_ body: () async throws -> Void) async throws -> [Posted] {
        let all = Mutex<[Posted]>([])
        let test = UUID()
        let names: [NSNotification.Name] = [
            .MSALWebAuthDidStartLoad, .MSALWebAuthDidFinishLoad, .MSALWebAuthDidComplete, .MSALWebAuthDidFail,
        ]
        let observers = names.map { name in
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { notification in
                guard Self.test == test else { return }
                let code = (notification.userInfo?["error"] as? NSError)?.code
                all.withLock { $0.append(Posted(name: notification.name.rawValue, code: code)) }
            }
        }
        defer { for observer in observers { NotificationCenter.default.removeObserver(observer) } }
        try await Self.$test.withValue(test) { try await body() }
        return all.withLock { $0 }
    }

    private static func failureCode(_ application: MSALPublicClientApplication) async -> Int? {
        do {
            _ = try await application.acquireToken(with: .init(scopes: ["user.read"]))
            return nil
        } catch {
            return (error as NSError).code
        }
    }
}
