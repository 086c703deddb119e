// Licensed under the MIT License. See LICENSE.

import AsyncHTTPClient
import EntraEmulator
import Foundation
import NIOCore
import NIOHTTP1
import Testing

/// A program on a host in Azure: it sends what clients send there.
struct Machine {
    let bench: Bench
    let addresses: ManagedIdentityAddresses

    static let graph = "https://graph.microsoft.com"
    static let system = "00000000-0000-4000-8000-000000000020"
    static let user = "00000000-0000-4000-8000-000000000021"
    static let userObject = "eeeeeeee-0000-4000-8000-000000000021"
    static let userResource =
        "/subscriptions/00000000-0000-4000-8000-0000000000f1/resourceGroups/contoso/providers/"
        + "Microsoft.ManagedIdentity/userAssignedIdentities/contoso-identity"
    static let toDoAPI = "api://00000000-0000-4000-8000-0000000000a1"

    /// Starts an emulator with the endpoints switched on.
    static func run(
        _ change: (inout EmulatorConfiguration) -> Void = { _ in },
        _ body: (Machine) async throws -> Void
    ) async throws {
        try await Bench.run({
            $0.managedIdentity = ManagedIdentitySettings()
            change(&$0)
        }) { bench in
            try await body(Machine(bench: bench, addresses: try #require(bench.emulator.managedIdentity)))
        }
    }

    /// What a client sends on that host; `nil` removes a parameter or a header field.
    func token(
        _ source: ManagedIdentitySource,
        resource: String = Machine.graph,
        changing changes: [String: String?] = [:],
        headers: [String: String?] = [:]
    ) async throws -> Bench.Response {
        let environment = addresses.environment(for: source)
        var parameters = ["resource": resource]
        var fields: [String: String] = [:]
        let endpoint: String?
        switch source {
        case .imds:
            endpoint = environment["AZURE_POD_IDENTITY_AUTHORITY_HOST"].map { $0 + "/metadata/identity/oauth2/token" }
            parameters["api-version"] = "2018-02-01"
            fields["metadata"] = "true"
        case .appService:
            endpoint = environment["IDENTITY_ENDPOINT"]
            parameters["api-version"] = "2019-08-01"
            fields["x-identity-header"] = environment["IDENTITY_HEADER"]
        case .azureArc:
            endpoint = environment["IDENTITY_ENDPOINT"]
            parameters["api-version"] = "2020-06-01"
            fields["metadata"] = "true"
        case .cloudShell:
            endpoint = environment["MSI_ENDPOINT"]
            fields["metadata"] = "true"
        case .serviceFabric:
            endpoint = environment["IDENTITY_ENDPOINT"]
            parameters["api-version"] = "2019-07-01-preview"
            fields["secret"] = environment["IDENTITY_HEADER"]
        case .machineLearning:
            endpoint = environment["MSI_ENDPOINT"]
            parameters["api-version"] = "2017-09-01"
            parameters["clientid"] = environment["DEFAULT_IDENTITY_CLIENT_ID"]
            fields["secret"] = environment["MSI_SECRET"]
        }
        for (name, value) in changes { parameters[name] = value }
        for (name, value) in headers { fields[name] = value }
        let address = try #require(endpoint)
        guard source != .cloudShell else {
            return try await send(.POST, to: address, form: parameters, headers: fields)
        }
        return try await send(.GET, to: "\(address)?\(Bench.encode(parameters))", headers: fields)
    }

    func send(
        _ method: HTTPMethod,
        to address: String,
        form: [String: String]? = nil,
        headers: [String: String] = [:]
    ) async throws -> Bench.Response {
        var request = HTTPClientRequest(url: address)
        request.method = method
        for (name, value) in headers { request.headers.replaceOrAdd(name: name, value: value) }
        if let form {
            request.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
            request.body = .bytes(ByteBuffer(string: Bench.encode(form)))
        }
        let response = try await bench.client.execute(request, timeout: .seconds(20))
        let buffer = try await response.body.collect(upTo: 1 << 20)
        return Bench.Response(
            status: Int(response.status.code),
            headers: response.headers,
            text: String(buffer: buffer)
        )
    }

    /// The file that an Azure Arc challenge names.
    func challengeFile(_ response: Bench.Response) throws -> String {
        let challenge = try #require(response.headers.first(name: "www-authenticate"))
        #expect(challenge.hasPrefix("Basic realm="))
        return String(challenge.dropFirst("Basic realm=".count))
    }

    /// A request of Azure Arc with the challenge met.
    func arcToken(_ changes: [String: String?] = [:]) async throws -> Bench.Response {
        let file = try challengeFile(try await token(.azureArc, changing: changes))
        let key = try String(contentsOfFile: file, encoding: .utf8)
        return try await token(.azureArc, changing: changes, headers: ["authorization": "Basic \(key)"])
    }
}
