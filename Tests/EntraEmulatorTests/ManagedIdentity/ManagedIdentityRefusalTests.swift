// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// Requests for tokens of managed identities that the hosts refuse.
struct ManagedIdentityRefusalTests {
    @Test(arguments: [ManagedIdentitySource.imds, .azureArc, .cloudShell])
    func `without the metadata header no token is returned`(source: ManagedIdentitySource) async throws {
        try await Machine.run { machine in
            let response = try await machine.token(source, headers: ["metadata": nil])
            let wrong = try await machine.token(source, headers: ["metadata": "1"])

            #expect(response.status == 400)
            #expect(wrong.status == 400)
            #expect(response.text.contains("Required metadata header not specified"))
        }
    }

    @Test(arguments: [
        (ManagedIdentitySource.appService, "x-identity-header", 401, 401),
        (.machineLearning, "secret", 401, 401),
        (.serviceFabric, "secret", 400, 404),
    ])
    func `without the secret of the environment no token is returned`(
        source: ManagedIdentitySource,
        field: String,
        missing: Int,
        wrong: Int
    ) async throws {
        try await Machine.run { machine in
            let without = try await machine.token(source, headers: [field: nil])
            let other = try await machine.token(source, headers: [field: "other-secret"])

            #expect(without.status == missing)
            #expect(other.status == wrong)
            #expect(without.text.contains(field))
            #expect(!other.text.contains("other-secret"))
        }
    }

    @Test func `each host has its own error format`() async throws {
        try await Machine.run { machine in
            let unknown = "https://nothing.example"
            let imds = try await machine.token(.imds, resource: unknown).json()
            let app = try await machine.token(.appService, resource: unknown).json()
            let shell = try await machine.token(.cloudShell, resource: unknown).json()
            let fabric = try await machine.token(.serviceFabric, headers: ["secret": nil]).json()

            #expect(imds["error"] as? String == "invalid_resource")
            #expect((imds["error_description"] as? String)?.contains("AADSTS500011") == true)
            #expect(app["statusCode"] as? Int == 400)
            #expect(app["message"] is String)
            #expect((shell["error"] as? [String: String])?["code"] == "AudienceNotSupported")
            #expect((fabric["error"] as? [String: String])?["code"] == "SecretHeaderNotFound")
            #expect((fabric["error"] as? [String: String])?["correlationId"] != nil)
        }
    }

    /// A change of the request of a virtual machine, and words of the refusal.
    static let changes: [([String: String?], String)] = [
        (["api-version": nil], "'api-version' not specified"),
        (["api-version": "2017-01-01"], "Use one of 2018-02-01"),
        (["resource": nil], "'resource' not specified"),
        (["resource": "https://graph.microsoft.com/.default"], "without '/.default'"),
        (["client_id": Machine.user, "object_id": Machine.userObject], "exactly one of"),
        (["clientid": Machine.user], "'clientid' does not identify an identity here"),
        (["client_id": "' OR 1=1"], "Identity not found"),
    ]

    @Test(arguments: changes)
    func `a refusal names the cause`(changes: [String: String?], words: String) async throws {
        try await Machine.run { machine in
            let response = try await machine.token(.imds, changing: changes)

            #expect(response.status == 400)
            #expect(response.text.contains(words), "\(response.text)")
        }
    }

    @Test func `a request that came through a proxy, or for another host, gets nothing`() async throws {
        try await Machine.run { machine in
            let forwarded = try await machine.token(.imds, headers: ["x-forwarded-for": "10.0.0.1"])
            let rebound = try await machine.token(.imds, headers: ["host": "attacker.example"])
            let real = try await machine.token(.imds, headers: ["host": "169.254.169.254"])

            #expect(forwarded.status == 400)
            #expect(rebound.status == 400)
            #expect(real.status == 200)
        }
    }

    @Test func `other methods and paths, and parameters that cannot be read, are refused`() async throws {
        try await Machine.run { machine in
            let base = "http://127.0.0.1:\(machine.addresses.port)"
            let headers = ["metadata": "true"]
            let method = try await machine.send(.POST, to: "\(base)/metadata/identity/oauth2/token", headers: headers)
            let path = try await machine.send(.GET, to: "\(base)/metadata/instance", headers: headers)
            let escape = try await machine.send(.GET, to: "\(base)/msi/token?resource=%ff", headers: headers)
            let long = try await machine.token(.cloudShell, resource: String(repeating: "a", count: 20_000))
            let twice = try await machine.send(
                .GET,
                to: "\(base)/metadata/identity/oauth2/token?resource=a&resource=b",
                headers: headers
            )

            #expect(method.status == 405)
            #expect(method.headers.first(name: "allow") == "GET")
            #expect(path.status == 404)
            let statuses = [escape.status, long.status, twice.status]
            #expect(statuses == [400, 400, 400])
        }
    }

    @Test func `a response to HEAD has no body, so that the connection stays good`() async throws {
        try await Machine.run { machine in
            let base = "http://127.0.0.1:\(machine.addresses.port)"
            let head = try await machine.send(.HEAD, to: "\(base)/metadata/identity/oauth2/token")
            let next = try await machine.token(.imds)

            #expect(head.status == 405)
            #expect(head.text.isEmpty)
            #expect(next.status == 200)
        }
    }

    // MARK: Azure Arc

    @Test func `a key file of Azure Arc works once, and is gone afterwards`() async throws {
        try await Machine.run { machine in
            let file = try machine.challengeFile(try await machine.token(.azureArc))
            let key = try String(contentsOfFile: file, encoding: .utf8)
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            let first = try await machine.token(.azureArc, headers: ["authorization": "Basic \(key)"])
            let second = try await machine.token(.azureArc, headers: ["authorization": "Basic \(key)"])
            let other = try await machine.token(.azureArc, headers: ["authorization": "Basic bm9wZQ=="])

            #expect(file.hasPrefix(try #require(machine.addresses.arcKeyFolder) + "/"))
            #expect(file.hasSuffix(".key"))
            #expect(!key.contains("\n"))
            #expect(mode == 0o600)
            #expect(first.status == 200)
            let statuses = [second.status, other.status]
            #expect(statuses == [401, 401])
            #expect(!FileManager.default.fileExists(atPath: file))
        }
    }

    @Test func `Azure Arc repeats the id of a user-assigned identity`() async throws {
        try await Machine.run { machine in
            let byClient = try await machine.arcToken(["client_id": Machine.user.uppercased()]).json()
            let byResource = try await machine.arcToken(["msi_res_id": Machine.userResource]).json()

            #expect(byClient["client_id"] as? String == Machine.user.uppercased())
            #expect(byResource["msi_res_id"] as? String == Machine.userResource)
            #expect(byResource["client_id"] as? String == Machine.user)
        }
    }

    @Test func `no Azure Arc file remains when the emulator has stopped`() async throws {
        var folder: String?
        try await Machine.run { machine in
            _ = try await machine.token(.azureArc)
            folder = machine.addresses.arcKeyFolder
            #expect(FileManager.default.fileExists(atPath: try #require(folder)))
        }
        #expect(FileManager.default.fileExists(atPath: try #require(folder)) == false)
    }

    @Test func `a folder for key files that cannot be created prevents the start`() async throws {
        let failure = await #expect(throws: Emulator.StartFailure.self) {
            try await Machine.run({
                $0.managedIdentity?.arcKeyFolder = URL(fileURLWithPath: "/dev/null/tokens")
            }) { _ in }
        }
        #expect(failure?.description.contains("/dev/null/tokens") == true)
    }

    // MARK: Control

    @Test func `the control API switches identities, makes requests fail, and prints environments`() async throws {
        try await Machine.run({ $0.controlPort = 0 }) { machine in
            let control = "https://localhost:\(try #require(machine.bench.emulator.controlPort))/managed-identity"
            let headers = ["authorization": "Bearer \(try #require(machine.bench.emulator.controlToken))"]
            func post(_ body: String) async throws -> Bench.Response {
                try await machine.bench.send(.POST, to: control, headers: headers, body: body)
            }
            let state = try await machine.bench.send(.GET, to: control, headers: headers).json()
            let failing = try await post(#"{"source":"app-service","status":429,"retryAfter":3}"#)
            let failed = try await machine.token(.appService)
            let taken = try await post(#"{"identity":"contoso-machine","assigned":false}"#)
            let gone = try await machine.token(.appService)

            let environments = try #require(state["environments"] as? [String: [String: String]])
            #expect(Set(environments.keys) == Set(ManagedIdentitySource.allCases.map(\.rawValue)))
            #expect(environments["app-service"]?["IDENTITY_HEADER"] == "emulator-identity-header")
            let statuses = [failing.status, failed.status, taken.status, gone.status]
            #expect(statuses == [200, 429, 200, 400])
            let identities = try #require(try taken.json()["identities"] as? [[String: Any]])
            #expect(identities.first?["assigned"] as? Bool == false)
            for (body, words) in [
                ("{}", "either 'identity' with 'assigned', or 'status', or"),
                (#"{"status":200}"#, "'status' must be a whole number from 400 to 599"),
                (#"{"status":500,"source":"vm"}"#, "'source' must be one of imds"),
                (#"{"identity":"nobody","assigned":true}"#, "'identity' nobody is not one of contoso-machine"),
                (#"{"identity":"contoso-machine"}"#, "'assigned' is missing"),
            ] {
                let refused = try await post(body)
                #expect(refused.status == 400)
                #expect(refused.text.contains(words), "\(refused.text)")
            }
        }
    }
}
