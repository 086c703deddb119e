// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// Responses of managed-identity endpoints that a client must not trust.
struct ManagedIdentityFlawTests {
    /// What a flawed challenge names, and what is there.
    private struct Challenged {
        let path: String
        let folder: String
        let content: String?
        let isLink: Bool
        let challenges: Int
    }

    private func challenge(_ flaw: ManagedIdentityFlaw, of machine: Machine) async throws -> Challenged {
        machine.bench.emulator.flawManagedIdentity(flaw)
        let response = try await machine.token(.azureArc)
        #expect(response.status == 401)
        let path = try machine.challengeFile(response)
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return Challenged(
            path: path,
            folder: try #require(machine.addresses.arcKeyFolder),
            content: try? String(contentsOfFile: path, encoding: .utf8),
            isLink: attributes?[.type] as? FileAttributeType == .typeSymbolicLink,
            challenges: response.headers["www-authenticate"].count
        )
    }

    @Test func `a challenge of Azure Arc names files that clients must not read`() async throws {
        try await Machine.run { machine in
            let elsewhere = try await challenge(.challengeElsewhere, of: machine)
            #expect(!elsewhere.path.hasPrefix(elsewhere.folder) && elsewhere.content != nil)
            let inner = try await challenge(.challengeInSubfolder, of: machine)
            #expect(inner.path.dropFirst(inner.folder.count).count { $0 == "/" } == 2 && inner.content != nil)
            let linked = try await challenge(.challengeLinked, of: machine)
            #expect(linked.isLink && linked.path.hasPrefix(linked.folder) && linked.content != nil)
            let long = try await challenge(.challengeTooLong, of: machine)
            #expect(long.content.map(\.utf8.count) ?? 0 > 4_096)
            let broken = try await challenge(.challengeWithLineBreak, of: machine)
            #expect(broken.content?.contains("\r\nX-Forged: ") == true)
            let other = try await challenge(.challengeOfOtherKind, of: machine)
            #expect(!other.path.hasSuffix(".key") && other.content != nil)
            let missing = try await challenge(.challengeMissing, of: machine)
            #expect(missing.path.hasSuffix(".key") && missing.content == nil)
            let twice = try await challenge(.challengeTwice, of: machine)
            #expect(twice.challenges == 2)
            let bare = try await challenge(.challengeWithoutPath, of: machine)
            #expect(bare.path.isEmpty)

            // The next one is as it should be.
            let good = try await machine.arcToken().status
            #expect(good == 200)
        }
    }

    @Test func `files of flawed challenges are removed when the emulator stops`() async throws {
        var paths: [String] = []
        try await Machine.run { machine in
            for flaw in [ManagedIdentityFlaw.challengeElsewhere, .challengeInSubfolder, .challengeLinked] {
                paths.append(try await challenge(flaw, of: machine).path)
            }
            paths.append(try #require(machine.addresses.arcKeyFolder))
        }
        #expect(paths.count == 4)
        for path in paths { #expect(!FileManager.default.fileExists(atPath: path), "\(path)") }
    }

    @Test(arguments: [ManagedIdentitySource.imds, .appService, .azureArc])
    func `a host returns a token of another identity than requested, once`(
        source: ManagedIdentitySource
    ) async throws {
        try await Machine.run { machine in
            func body() async throws -> [String: Any] {
                let wanted = ["client_id": Machine.user]
                guard source == .azureArc else { return try await machine.token(source, changing: wanted).json() }
                return try await machine.arcToken(wanted).json()
            }
            machine.bench.emulator.flawManagedIdentity(.otherIdentity, source: source)
            let other = try await body()
            let asked = try await body()

            #expect(other["client_id"] as? String == Machine.system)
            #expect(asked["client_id"] as? String == Machine.user)
        }
    }

    @Test func `Service Fabric shows another certificate than the environment says`() async throws {
        try await Machine.run { machine in
            try machine.bench.emulator.showCertificate(.selfSigned)
            // A client that trusts the emulator's authority notices what one that compares thumbprints does.
            await #expect(throws: (any Error).self) { try await machine.token(.serviceFabric) }
            try machine.bench.emulator.showCertificate(nil)
            let good = try await machine.token(.serviceFabric).status

            #expect(good == 200)
        }
    }

    @Test func `an error has the text that a test sets`() async throws {
        try await Machine.run { machine in
            let words = "connecting to 169.254.169.254:80: network is unreachable"
            machine.bench.emulator.failManagedIdentity(status: 403, source: .imds, message: words)
            let refused = try await machine.token(.imds)

            #expect(refused.status == 403)
            #expect(refused.text.contains("unreachable"))
        }
    }

    @Test func `the control API takes flaws`() async throws {
        try await Machine.run({ $0.controlPort = 0 }) { machine in
            let control = "https://localhost:\(try #require(machine.bench.emulator.controlPort))/managed-identity"
            let headers = ["authorization": "Bearer \(try #require(machine.bench.emulator.controlToken))"]
            func post(_ body: String) async throws -> Bench.Response {
                try await machine.bench.send(.POST, to: control, headers: headers, body: body)
            }
            let added = try await post(#"{"flaw":"challengeElsewhere","count":2}"#)
            let refused = try await post(#"{"flaw":"challenge"}"#)
            let path = try machine.challengeFile(try await machine.token(.azureArc))
            let left = try await machine.bench.send(.GET, to: control, headers: headers).json()["failures"]

            #expect(added.status == 200)
            #expect(refused.status == 400 && refused.text.contains("challengeInSubfolder"))
            #expect(!path.hasPrefix(try #require(machine.addresses.arcKeyFolder)))
            #expect((left as? [[String: Any]])?.first?["count"] as? Int == 1)
        }
    }
}
