// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// Obstacles of a start, and the sentences about them.
struct StartTests {
    @Test(arguments: ["ca.pem", "ca-key.pem", "signing-key.pem", "signing-certificate.pem"])
    func `a damaged file is named with the remedy, and the remedy helps`(name: String) async throws {
        let folder = try await Self.usedState()
        let file = folder.appendingPathComponent(name)
        try Data("garbage".utf8).write(to: file)

        let failure = await #expect(throws: Emulator.StartFailure.self) {
            try await Bench.run({ $0.stateDirectory = folder }) { _ in }
        }
        #expect(failure?.description == Self.damaged(name, in: folder))

        try FileManager.default.removeItem(at: file)
        try await Bench.run({ $0.stateDirectory = folder }) { bench in
            let keys = try await bench.get("/common/discovery/v2.0/keys")
            #expect(keys.status == 200)
        }
    }

    @Test(arguments: ["server.pem", "server-key.pem", "server.names"])
    func `a damaged server certificate is replaced, and the authority stays`(name: String) async throws {
        let folder = try await Self.usedState()
        let authority = try Data(contentsOf: folder.appendingPathComponent("ca.pem"))
        try Data("garbage".utf8).write(to: folder.appendingPathComponent(name))

        try await Bench.run({ $0.stateDirectory = folder }) { bench in
            let keys = try await bench.get("/common/discovery/v2.0/keys")
            #expect(keys.status == 200)
        }
        #expect(try Data(contentsOf: folder.appendingPathComponent("ca.pem")) == authority)
    }

    /// The files in the order in which they are written.
    private static let identity = ["ca-key.pem", "ca.pem", "server-key.pem", "server.pem", "server.names"]

    @Test(arguments: 0...4, [true, false])
    func `an interrupted creation of certificates is repaired by the next start`(
        written: Int,
        hadOthersBefore: Bool
    ) async throws {
        let (folder, new) = (try await Self.usedState(), try await Self.usedState())
        for (index, name) in Self.identity.enumerated() where !hadOthersBefore || index < written {
            let file = folder.appendingPathComponent(name)
            try FileManager.default.removeItem(at: file)
            if index < written { try FileManager.default.copyItem(at: new.appendingPathComponent(name), to: file) }
        }

        // The second one needs another certificate by the same authority.
        for hosts in [[], ["other.example"]] {
            try await Bench.run({
                $0.stateDirectory = folder
                $0.additionalHosts = hosts
            }) { bench in
                let trusted = try await bench.get("/common/discovery/v2.0/keys")
                #expect(trusted.status == 200)
            }
        }
    }

    @Test(arguments: ["", "two words", "münchen.example", "https://login.example", "*.test", "web.3"])
    func `a host that is invalid in a certificate is rejected with an explanation`(host: String) async throws {
        let failure = await #expect(throws: Emulator.StartFailure.self) {
            try await Bench.run({ $0.additionalHosts = [host] }) { _ in }
        }
        #expect(failure?.description.hasPrefix("'\(host)' is not a host name") == true)
    }

    @Test(arguments: [-1, 65_536])
    func `an invalid port is rejected with an explanation`(port: Int) async throws {
        for change in [{ $0.port = port }, { $0.controlPort = port }] as [(inout EmulatorConfiguration) -> Void] {
            let failure = await #expect(throws: Emulator.StartFailure.self) { try await Bench.run(change) { _ in } }
            #expect(failure?.description.hasPrefix("\(port) is not a port number") == true)
        }
    }

    @Test func `names of hosts count in any letter case`() async throws {
        try await Bench.run({ $0.additionalHosts = ["Login.Contoso.example", "10.0.0.7", "fd00::7"] }) { bench in
            for host in ["login.contoso.example", "LOGIN.contoso.example", "10.0.0.7", "[fd00::7]"] {
                let path = "/common/v2.0/.well-known/openid-configuration"
                let metadata = try await bench.send(.GET, to: path, headers: ["host": host]).json()
                #expect(metadata["issuer"] as? String == "https://\(host.lowercased())/{tenantid}/v2.0")
            }
        }
    }

    @Test func `a state folder of an older emulator gets what it lacks and keeps its key`() async throws {
        let folder = try await Self.usedState()
        try FileManager.default.removeItem(at: folder.appendingPathComponent("signing-certificate.pem"))
        let key = try Data(contentsOf: folder.appendingPathComponent("signing-key.pem"))

        try await Bench.run({ $0.stateDirectory = folder }) { bench in
            let keys = try await bench.get("/common/discovery/v2.0/keys")
            #expect(keys.text.contains("x5c"))
        }

        #expect(try Data(contentsOf: folder.appendingPathComponent("signing-key.pem")) == key)
    }

    @Test func `a data folder belongs to one emulator at a time`() async throws {
        let folder = Self.folder()

        try await Bench.run({ $0.dataDirectory = folder }) { _ in
            let failure = await #expect(throws: Emulator.StartFailure.self) {
                try await Bench.run({ $0.dataDirectory = folder }) { _ in }
            }
            #expect(failure?.description.contains("another emulator uses the folder \(folder.path)") == true)
        }
        try await Bench.run({ $0.dataDirectory = folder }) { bench in
            let home = try await bench.get("/")
            #expect(home.status == 200)
        }
    }

    @Test func `a data file that is not a database is reported with the remedy`() async throws {
        let folder = Self.folder()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(String(repeating: "no database ", count: 100).utf8)
            .write(to: folder.appendingPathComponent("directory.sqlite"))

        let failure = await #expect(throws: Emulator.StartFailure.self) {
            try await Bench.run({ $0.dataDirectory = folder }) { _ in }
        }

        #expect(failure?.description == Self.damaged("directory.sqlite", in: folder))
    }

    private static func damaged(_ name: String, in folder: URL) -> String {
        "\(folder.appendingPathComponent(name).path) is damaged; remove it, and the next start creates a new one"
    }

    private static func folder() -> URL {
        Bench.stateDirectory.appendingPathComponent("folder-\(UUID().uuidString)")
    }

    /// The files of an emulator that was started before.
    private static func usedState() async throws -> URL {
        let folder = try Bench.newState()
        try await Bench.run({ $0.stateDirectory = folder }) { _ in }
        return folder
    }
}
