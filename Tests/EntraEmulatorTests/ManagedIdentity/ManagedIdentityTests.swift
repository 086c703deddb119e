// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// Tokens of managed identities, on each kind of host.
struct ManagedIdentityTests {
    @Test func `the endpoints are disabled by default`() async throws {
        try await Bench.run { bench in
            #expect(bench.emulator.managedIdentity == nil)
        }
    }

    @Test func `a damaged certificate is reported with its file and the remedy`() throws {
        let folder = Bench.stateDirectory.appendingPathComponent("damaged-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        chmod(folder.path, 0o700)
        let file = folder.appendingPathComponent("server.pem")
        try Data("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".utf8).write(to: file)

        let failure = #expect(throws: TrustFiles.Failure.self) {
            try ManagedIdentityAddresses(port: 8445, stateDirectory: folder)
        }

        #expect(
            failure?.errorDescription == "\(file.path) is damaged; remove it, and the next start creates a new one"
        )
    }

    @Test(arguments: ManagedIdentitySource.allCases)
    func `every host returns a token for a day, with times in the client's format`(
        source: ManagedIdentitySource
    ) async throws {
        try await Machine.run { machine in
            let now = Int(machine.bench.emulator.now.timeIntervalSince1970)
            let response =
                source == .azureArc ? try await machine.arcToken() : try await machine.token(source)
            let members = try response.json()
            let claims = try Bench.claims(members["access_token"])

            #expect(response.status == 200)
            #expect(members["resource"] as? String == Machine.graph)
            #expect(members["token_type"] as? String == "Bearer")
            let end = try #require(Int("\(members["expires_on"] ?? "")"))
            #expect((86_400...86_430).contains(end - now))
            #expect(claims["exp"] as? Int == end)
            // Virtual machines, Azure Arc and the Cloud Shell send the length, too. All but Service Fabric write texts.
            let sendLength: Set<ManagedIdentitySource> = [.imds, .azureArc, .cloudShell]
            #expect(members["expires_in"] as? String == (sendLength.contains(source) ? "86400" : nil))
            #expect((members["expires_on"] is String) == (source != .serviceFabric))
        }
    }

    @Test func `a token says that a managed identity has it, and which`() async throws {
        try await Machine.run { machine in
            let system = try Bench.claims(try await machine.token(.imds).json()["access_token"])
            let user = try Bench.claims(
                try await machine.token(
                    .imds,
                    resource: Machine.toDoAPI,
                    changing: ["client_id": Machine.user]
                ).json()["access_token"]
            )

            #expect(system["oid"] as? String == "eeeeeeee-0000-4000-8000-000000000020")
            #expect(system["sub"] as? String == system["oid"] as? String)
            #expect(system["idtyp"] as? String == "app")
            #expect(system["roles"] as? [String] == ["User.Read.All"])
            #expect((system["xms_mirid"] as? String)?.hasSuffix("/virtualMachines/contoso-machine") == true)
            #expect((system["appidacr"] ?? system["azpacr"]) as? String == "2")
            #expect(system["scp"] == nil)
            #expect(user["xms_mirid"] as? String == Machine.userResource)
            #expect(user["roles"] as? [String] == ["ToDoList.Read.All"])
            #expect((user["appid"] ?? user["azp"]) as? String == Machine.user)
        }
    }

    /// Hosts with the parameters that clients send there for a user-assigned identity.
    static let named: [(ManagedIdentitySource, String, String)] = [
        (.imds, "client_id", Machine.user), (.imds, "object_id", Machine.userObject),
        (.imds, "msi_res_id", Machine.userResource), (.imds, "mi_res_id", Machine.userResource.lowercased()),
        (.appService, "client_id", Machine.user), (.appService, "object_id", Machine.userObject),
        (.appService, "principal_id", Machine.userObject), (.appService, "mi_res_id", Machine.userResource),
        (.machineLearning, "clientid", Machine.user),
    ]

    @Test(arguments: named)
    func `an identity is found by the parameters of the host`(
        source: ManagedIdentitySource,
        parameter: String,
        id: String
    ) async throws {
        try await Machine.run { machine in
            let found = try await machine.token(source, changing: [parameter: id])
            let unknown = try await machine.token(source, changing: [parameter: UUID().uuidString])

            #expect(try found.json()["client_id"] as? String == Machine.user)
            #expect(unknown.status == 400)
            #expect(unknown.text.contains("dentity"))
        }
    }

    @Test func `a Service Fabric identity is found by its principal, and its token has the program's capabilities`()
        async throws
    {
        try await Machine.run { machine in
            let response = try await machine.token(
                .serviceFabric,
                changing: ["api-version": "2020-05-01", "principalId": Machine.userObject, "xms_cc": "cp1,cp2"]
            )
            let claims = try Bench.claims(try response.json()["access_token"])

            #expect(claims["oid"] as? String == Machine.userObject)
            #expect(claims["xms_cc"] as? [String] == ["cp1", "cp2"])
        }
    }

    @Test func `programs in Service Fabric know the certificate by its thumbprint`() async throws {
        try await Machine.run { machine in
            let environment = machine.addresses.environment(for: .serviceFabric)

            #expect(environment["IDENTITY_ENDPOINT"]?.hasPrefix("https://127.0.0.1:") == true)
            #expect(environment["IDENTITY_SERVER_THUMBPRINT"]?.wholeMatch(of: /[0-9A-F]{40}/) != nil)
        }
    }

    @Test func `identities can be removed from the machine, and a reset restores them`() async throws {
        try await Machine.run { machine in
            let emulator = machine.bench.emulator
            #expect(emulator.assignManagedIdentity("contoso-machine", isAssigned: false))
            // A virtual machine then uses the only one that it has; other hosts do not.
            let other = try await machine.token(.imds)
            let none = try await machine.token(.appService)
            #expect(emulator.assignManagedIdentity(Machine.user, isAssigned: false))
            let nobody = try await machine.token(.imds)
            try await emulator.reset()
            let again = try await machine.token(.imds)

            #expect(try other.json()["client_id"] as? String == Machine.user)
            #expect(none.status == 400)
            #expect(try nobody.json()["error_description"] as? String == "Identity not found")
            #expect(try again.json()["client_id"] as? String == Machine.system)
            #expect(!emulator.assignManagedIdentity("nobody", isAssigned: true))
        }
    }

    @Test(arguments: [404, 410, 429, 500])
    func `requests fail as often as a test wants, in the shape of the host`(status: Int) async throws {
        try await Machine.run { machine in
            machine.bench.emulator.failManagedIdentity(status: status, source: .imds, retryAfter: 7, count: 2)
            let other = try await machine.token(.appService)
            let first = try await machine.token(.imds)
            let second = try await machine.token(.imds)
            let third = try await machine.token(.imds)

            let statuses = [other.status, first.status, second.status, third.status]
            #expect(statuses == [200, status, status, 200])
            #expect(first.headers.first(name: "retry-after") == "7")
            #expect(try first.json()["error"] is String)
        }
    }

    @Test func `requests are in the journal without the secrets of the environment`() async throws {
        try await Machine.run { machine in
            _ = try await machine.token(.appService)
            _ = try await machine.token(.machineLearning)
            let entries = machine.bench.emulator.journal.suffix(2)

            #expect(entries.map(\.path) == ["/msi/token", "/ml/msi/token"])
            #expect(!entries.contains { "\($0.headers)".contains("emulator-identity-header") })
        }
    }
}
