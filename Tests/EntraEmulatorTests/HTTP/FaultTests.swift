// Licensed under the MIT License. See LICENSE.

import AsyncHTTPClient
import EntraEmulator
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL
import Synchronization
import Testing

/// A platform that behaves badly on demand.
struct FaultTests {
    private let path = "/common/discovery/v2.0/keys"

    @Test func `a response can stop in the middle and close the connection`() async throws {
        try await Bench.run { bench in
            let whole = try await bench.get(path)
            bench.emulator.enqueueFault(Fault(pathSuffix: "/keys", stopsAfterBytes: 10))

            let response = try await bench.client.execute(
                HTTPClientRequest(url: bench.base + path),
                timeout: .seconds(20)
            )
            var received = ByteBuffer()
            let error = await #expect(throws: (any Error).self) {
                for try await part in response.body { received.writeImmutableBuffer(part) }
            }

            #expect(response.headers.first(name: "content-length") == String(whole.text.utf8.count))
            #expect(String(buffer: received) == String(whole.text.prefix(10)))
            #expect((error as? HTTPClientError) != .deadlineExceeded)
        }
    }

    @Test func `a response can hang after a part of its body until the emulator stops`() async throws {
        try await Bench.run { bench in
            var fault = Fault(pathSuffix: "/keys", stopsAfterBytes: 3, hangs: true)
            fault.status = 200
            fault.body = "{\"keys\":[]}"
            bench.emulator.enqueueFault(fault)
            let response = try await bench.client.execute(
                HTTPClientRequest(url: bench.base + path),
                timeout: .seconds(20)
            )
            var iterator = response.body.makeAsyncIterator()
            let first = try await iterator.next()
            try await bench.emulator.shutdown()
            let rest = await #expect(throws: (any Error).self) { try await iterator.next() }

            #expect(response.status == .ok)
            #expect(first.map { String(buffer: $0) } == "{\"k")
            #expect((rest as? HTTPClientError) != .deadlineExceeded)
        }
    }

    @Test func `a request can hang until the emulator stops, while others are served`() async throws {
        try await Bench.run { bench in
            bench.emulator.enqueueFault(Fault(pathSuffix: "/keys", hangs: true))
            let hasEnded = Mutex(false)
            async let hasResponse: Bool = {
                defer { hasEnded.withLock { $0 = true } }
                do { return try await bench.get(path).status > 0 } catch { return false }
            }()
            while bench.emulator.journal.isEmpty, !hasEnded.withLock(\.self) { await Task.yield() }
            try #require(!bench.emulator.journal.isEmpty)
            let other = try await bench.get(path)
            let hasEndedEarly = hasEnded.withLock { $0 }
            try await bench.emulator.shutdown()

            let hasResponseInTheEnd = await hasResponse
            #expect(!hasEndedEarly && !hasResponseInTheEnd)
            #expect(other.status == 200)
            #expect(bench.emulator.journal.map(\.status) == [0, 200])
        }
    }

    @Test(arguments: CertificateFault.allCases)
    func `a faulty certificate is rejected by a client, and removed by a reset`(
        _ fault: CertificateFault
    ) async throws {
        try await Bench.run { bench in
            try bench.emulator.showCertificate(fault)
            let refused = await #expect(throws: (any Error).self) { try await status(with: bench) }
            try await bench.emulator.reset()
            let accepted = try await status(with: bench)

            let isMisnamed = (refused as? NIOSSLExtraError) == .failedToValidateHostname
            #expect(isMisnamed == (fault == .otherName))
            #expect(accepted == 200)
            #expect(bench.emulator.journal.count == 1)
        }
    }

    @Test func `a certificate authority that lost its key is replaced at the start, not by a fault`() async throws {
        let folder = try Bench.newState()
        let key = folder.appendingPathComponent("ca-key.pem")
        try await Bench.run({ $0.stateDirectory = folder }) { bench in
            try FileManager.default.removeItem(at: key)
            #expect(throws: (any Error).self) { try bench.emulator.showCertificate(.expired) }
            let accepted = try await status(with: bench)

            #expect(accepted == 200)
        }
        try await Bench.run({ $0.stateDirectory = folder }) { bench in
            try bench.emulator.showCertificate(.expired)
            await #expect(throws: (any Error).self) { try await status(with: bench) }
            try await bench.emulator.reset()
            let accepted = try await status(with: bench)

            #expect(accepted == 200)
        }
    }

    @Test func `every response is dated by the emulated clock`() async throws {
        try await Bench.run { bench in
            await bench.emulator.advanceClock(by: .seconds(10 * 365 * 86_400))
            let early = bench.emulator.now
            let response = try await bench.get(path)

            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.timeZone = .gmt
            formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
            let date = try #require(response.headers.first(name: "date").flatMap(formatter.date))
            #expect(response.headers["date"].count == 1)
            // The header has no fractions of a second.
            #expect(date > early.addingTimeInterval(-1) && date <= bench.emulator.now)
        }
    }

    @Test func `the control API adds these faults, too`() async throws {
        try await Bench.run({ $0.controlPort = 0 }) { bench in
            let control = "https://localhost:\(try #require(bench.emulator.controlPort))"
            let headers = ["authorization": "Bearer \(try #require(bench.emulator.controlToken))"]
            func post(_ path: String, body: String) async throws -> Int {
                try await bench.send(.POST, to: control + path, headers: headers, body: body).status
            }
            let cut = try await post("/faults", body: #"{"pathSuffix":"/keys","stopsAfterBytes":4}"#)
            let broken = await #expect(throws: (any Error).self) { try await bench.get(path) }
            let unknown = try await post("/certificate", body: #"{"fault":"pink"}"#)
            let shown = try await post("/certificate", body: #"{"fault":"expired"}"#)
            let refused = await #expect(throws: (any Error).self) { try await status(with: bench) }
            let withdrawn = try await post("/certificate", body: "{}")
            let accepted = try await status(with: bench)

            let statuses = [cut, unknown, shown, withdrawn, accepted]
            #expect(statuses == [201, 400, 200, 200, 200])
            #expect(broken != nil && refused != nil)
        }
    }

    /// The status that a client without open connections is answered with.
    private func status(with bench: Bench) async throws -> Int {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates(
            try NIOSSLCertificate.fromPEMFile(bench.emulator.certificateAuthorityFile.path)
        )
        var settings = HTTPClient.Configuration(tlsConfiguration: tls)
        settings.connectionPool.retryConnectionEstablishment = false
        let client = HTTPClient(configuration: settings)
        do {
            let response = try await client.execute(
                HTTPClientRequest(url: bench.base + path),
                timeout: .seconds(20)
            )
            _ = try await response.body.collect(upTo: 1 << 20)
            try await client.shutdown()
            return Int(response.status.code)
        } catch {
            try await client.shutdown()
            throw error
        }
    }
}
