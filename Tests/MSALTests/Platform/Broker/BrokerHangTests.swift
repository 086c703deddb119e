// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSALBase
import Synchronization
import TestSupport
import Testing

@testable import MSAL

/// A broker that does not respond: which calls it delays, and how often (docs/reference/Broker.md#hang).
struct BrokerHangTests {
    private let time = ManualTime()
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    /// The broker as a newly started process sees it.
    private func process(on bus: FakeBus, limit: Duration = .seconds(120)) -> BusBroker {
        var limits = BrokerLimits.patient
        limits.silent = limit
        return BusBroker(bus, time: time, limits: limits, folder: folder.path)
    }

    private func hangs() -> BrokerHangs {
        BrokerHangs(environment: ["MSAL_STORE_DIR": folder.path], time: time, lifetime: .seconds(60))
    }

    private var file: String { folder.path + "/msal/.broker-hang" }

    // MARK: - Who skips the broker

    @Test func `after one call that hung, this process and the next ones skip the broker for a minute`()
        async throws
    {
        let broker = FakeBroker([.accounts: [.silence], .tokenSilently: [.json(BrokerSample.token())]])
        let bus = try broker.bus()
        // Enough time to reach the broker on a busy machine.
        let (first, next) = (process(on: bus, limit: .seconds(2)), process(on: bus))

        let hung = try await first.failure(of: .accounts)
        let passed = [try await first.failure(of: .tokenSilently), try await next.failure(of: .tokenSilently)]

        #expect(hung?.kind == .unreachable)
        for failure in passed {
            #expect(failure?.kind == .absent)
            #expect(failure?.message.contains("not called again for a minute") == true)
        }
        for process in [first, next] {
            #expect(await !process.availability().isPresent)
            #expect(!process.quickAvailability().isPresent)
        }
        #expect(broker.members == ["getAccounts"])
        time.advance(by: .seconds(60))
        #expect(try await next.failure(of: .tokenSilently) == nil)
    }

    @Test func `a sign-in and a check of the machine call it anyway, and a response ends the pause`() async throws {
        let account = try BrokerSample.knownAccount()
        let replies = FakeBroker.Reply.json(BrokerSample.token())
        let broker = FakeBroker([.tokenSilently: [replies], .tokenInteractively: [replies]])
        let bus = try broker.bus()
        let client = process(on: bus)
        for call in [
            { _ = try await client.tokenInteractively(BrokerSample.request()) },
            { _ = try await client.ignoringHangs.tokenSilently(BrokerSample.request(account: account)) },
        ] as [() async throws -> Void] {
            hangs().note(bus: FakeBus.id, broker: FakeBus.serviceName)
            #expect(await !client.availability().isPresent)
            #expect(await client.ignoringHangs.availability().isPresent)

            try await call()

            #expect(await client.availability().isPresent)
        }
    }

    @Test func `a caller that cancels and a window that is not used do not count as hangs`() async throws {
        let broker = FakeBroker([.tokenSilently: [.silence], .tokenInteractively: [.silence]])
        let bus = try broker.bus()
        let client = BusBroker(bus, time: time, folder: folder.path)
        for method in [IdentityBrokerMethod.tokenSilently, .tokenInteractively] {
            let (calls, arrival) = AsyncStream.makeStream(of: Void.self)
            broker.onCall { _ in arrival.yield() }
            let task = Task { try await client.failure(of: method) }
            var arrivals = calls.makeAsyncIterator()
            _ = await arrivals.next()
            task.cancel()

            #expect(try await task.value?.kind == .canceled)
        }

        #expect(await client.availability().isPresent)
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    // MARK: - Scope of the record

    @Test func `the record applies to one broker on one bus`() {
        hangs().note(bus: "b1", broker: ":1.7")

        #expect(hangs().knows(bus: "b1", broker: ":1.7"))
        #expect(!hangs().knows(bus: "b2", broker: ":1.7"))
        #expect(!hangs().knows(bus: "b1", broker: ":1.8"))
        #expect(!hangs().knows(bus: "b1", broker: ""))
    }

    @Test func `the record ends with the boot`() throws {
        hangs().note(bus: "b1", broker: ":1.7")
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let boot = try #require(try JSONDecoder().decode([String: JSONText].self, from: Data(text.utf8))["boot"]?.text)

        try text.replacingOccurrences(of: boot, with: "00000000-0000-4000-8000-000000000000")
            .write(toFile: file, atomically: false, encoding: .utf8)

        #expect(!hangs().knows(bus: "b1", broker: ":1.7"))
    }

    @Test func `the record lasts a minute, and no longer if the clock is set back`() {
        hangs().note(bus: "b1", broker: ":1.7")

        time.advance(by: .seconds(59))
        #expect(hangs().knows(bus: "b1", broker: ":1.7"))
        time.advance(by: .seconds(1))
        #expect(!hangs().knows(bus: "b1", broker: ":1.7"))
        time.advance(by: .seconds(-3600))
        #expect(!hangs().knows(bus: "b1", broker: ":1.7"))
    }

    @Test func `the record belongs to this user only, and invalid content is ignored`() throws {
        hangs().note(bus: "b1", broker: ":1.7")
        let rights = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(rights == 0o600)

        for text in ["", "{", "[]", "null", #"{"boot":1}"#, String(repeating: " ", count: 100_000)] {
            try text.write(toFile: file, atomically: false, encoding: .utf8)
            #expect(!hangs().knows(bus: "b1", broker: ":1.7"))
        }
        hangs().note(bus: "b1", broker: ":1.7")
        #expect(hangs().knows(bus: "b1", broker: ":1.7"))
    }

    @Test func `a foreign file is neither read nor written, and this process remembers the hang anyway`() throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/msal", withIntermediateDirectories: true)
        let other = folder.path + "/other"
        try "precious".write(toFile: other, atomically: false, encoding: .utf8)
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: other)

        let kinds: [() -> Int32] = [{ 0 }, { mkfifo(file, 0o600) }, { mkdir(file, 0o700) }]
        for make in kinds {
            try #require(make() == 0)
            let here = hangs()
            here.note(bus: "b1", broker: ":1.7")

            #expect(here.knows(bus: "b1", broker: ":1.7"))
            #expect(!hangs().knows(bus: "b1", broker: ":1.7"))
            _ = remove(file)
        }
        #expect(try String(contentsOfFile: other, encoding: .utf8) == "precious")
    }

    private struct JSONText: Decodable {
        let text: String?

        init(from decoder: any Decoder) throws {
            text = try? decoder.singleValueContainer().decode(String.self)
        }
    }

    // MARK: - Notifications

    @Test func `a call that waits for two seconds logs it, and continues`() async throws {
        let (told, telling) = AsyncStream.makeStream(of: Void.self)
        let broker = FakeBroker([.tokenSilently: [.silence]])
        let bus = try broker.bus()
        let client = BusBroker(bus, time: time) { telling.yield() }
        let task = Task { try await client.failure(of: .tokenSilently) }
        await time.untilSomebodySleeps()
        #expect(time.sleeps == [.seconds(2)])

        time.advance(by: .seconds(2))

        var all = told.makeAsyncIterator()
        #expect(await all.next() != nil)
        task.cancel()
        _ = try await task.value
    }

    @Test func `a call that ends earlier, and a window, log nothing`() async throws {
        let isTold = Mutex(false)
        let broker = FakeBroker([
            .tokenSilently: [.json(BrokerSample.token())], .tokenInteractively: [.json(BrokerSample.token())],
        ])
        let bus = try broker.bus()
        let client = BusBroker(bus, time: time) { isTold.withLock { $0 = true } }

        _ = try await client.failure(of: .tokenSilently)
        let sleeps = time.sleeps
        _ = try await client.failure(of: .tokenInteractively)
        time.advance(by: .seconds(3600))

        #expect(!isTold.withLock { $0 })
        #expect(time.sleeps == sleeps)
    }
}
