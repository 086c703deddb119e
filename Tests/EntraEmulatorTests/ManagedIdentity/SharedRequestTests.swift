// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import TestSupport
import Testing

/// The shared cases say what clients send on each host. The endpoints take exactly that.
struct SharedRequestTests {
    @Test(.enabled(if: SharedRequest.hasFile, "\(ConformanceFiles.absence)"))
    func `the shared cases have requests of every host`() {
        #expect(Set(SharedRequest.all.map(\.source)) == Set(ManagedIdentitySource.allCases))
    }

    @Test(arguments: SharedRequest.all)
    func `a request of the shared cases gets a token, or Azure Arc's challenge`(request: SharedRequest) async throws {
        try await Machine.run(request.configure) { machine in
            let endpoint = request.endpoint(at: machine.addresses)
            let response =
                if let form = request.form {
                    try await machine.send(.POST, to: endpoint, form: form, headers: request.headers)
                } else {
                    try await machine.send(
                        .GET,
                        to: "\(endpoint)?\(Bench.encode(request.query))",
                        headers: request.headers
                    )
                }

            guard request.source != .azureArc else {
                #expect(response.status == 401)
                return
            }
            #expect(response.status == 200, "\(response.text)")
            let members = try response.json()
            let claims = try Bench.claims(members["access_token"])
            #expect(members["resource"] as? String == request.resource)
            #expect((claims["xms_mirid"] as? String == SharedRequest.userResource) == request.isUserAssigned)
        }
    }
}

/// A request of the shared cases, as one of the hosts gets it.
struct SharedRequest: CustomTestStringConvertible, Sendable {
    let id: String
    let source: ManagedIdentitySource
    let resource: String
    let isUserAssigned: Bool
    let query: [String: String]
    let form: [String: String]?
    let headers: [String: String]

    var testDescription: String { id }

    // The fixtures of the file.
    private static let userClient = "5e29463d-71da-4fe0-8e69-999b57db23b0"
    private static let userObject = "853b9a84-5bfa-4b22-a3f3-0b9a43d9ad8a"
    static let userResource =
        "/subscriptions/11111111-1111-1111-1111-111111111111/resourcegroups/Prod-RG/providers/"
        + "Microsoft.ManagedIdentity/userAssignedIdentities/orders"

    /// Gives the machine the identities and the secret of the fixtures, and the directory the API that they ask for.
    func configure(_ configuration: inout EmulatorConfiguration) {
        configuration.managedIdentity?.header = "hdr-secret"
        // In the fixtures of Machine Learning one id is the system's client ID; elsewhere it is the user's object ID.
        let isLearning = source == .machineLearning
        configuration.directory.managedIdentities = [
            .init(
                name: "system",
                tenant: Bench.tenant,
                clientID: isLearning ? Self.userObject : Machine.system,
                objectID: "eeeeeeee-0000-4000-8000-000000000020"
            ),
            .init(
                name: "orders",
                tenant: Bench.tenant,
                clientID: Self.userClient,
                objectID: isLearning ? Machine.userObject : Self.userObject,
                resourceID: Self.userResource
            ),
        ]
        configuration.directory.apis.append(
            .init(
                audience: "cfa8b339-82a2-471a-a3c9-0fc0be7a4093",
                identifiers: ["https://vault.azure.net"],
                displayName: "Key Vault",
                scopes: []
            )
        )
    }

    /// The address that the environment of the host leads to.
    func endpoint(at addresses: ManagedIdentityAddresses) -> String {
        let environment = addresses.environment(for: source)
        let host = environment["AZURE_POD_IDENTITY_AUTHORITY_HOST"].map { $0 + "/metadata/identity/oauth2/token" }
        return environment["IDENTITY_ENDPOINT"] ?? environment["MSI_ENDPOINT"] ?? host ?? ""
    }

    // MARK: The file

    /// `nil` for a case without a request.
    private init?(_ value: [String: Any]) {
        guard value["op"] as? String == "request", let input = value["in"] as? [String: Any],
            let output = value["out"] as? [String: Any], output["method"] is String
        else { return nil }
        id = value["id"] as? String ?? ""
        source = Self.source(of: input["environment"] as? [String: String] ?? [:])
        isUserAssigned = (input["identity"] as? [String: String])?["kind"] != "systemAssigned"
        form = output["form"] as? [String: String]
        headers = output["headers"] as? [String: String] ?? [:]
        var query = output["query"] as? [String: String] ?? [:]
        resource = form?["resource"] ?? query["resource"] ?? input["resource"] as? String ?? ""
        query["resource"] = resource
        self.query = query
    }

    private static func source(of environment: [String: String]) -> ManagedIdentitySource {
        if environment["IDENTITY_SERVER_THUMBPRINT"] != nil { return .serviceFabric }
        if environment["IDENTITY_HEADER"] != nil { return .appService }
        if environment["MSI_SECRET"] != nil { return .machineLearning }
        if environment["MSI_ENDPOINT"] != nil { return .cloudShell }
        return environment["IMDS_ENDPOINT"] != nil ? .azureArc : .imds
    }

    private static let file = ConformanceFiles.folder.appending(path: "server/managed-identity.json")

    static var hasFile: Bool { FileManager.default.fileExists(atPath: file.path) }

    /// The cases of the file, read once; none if it cannot be read, which fails where there is one.
    static let all: [SharedRequest] = {
        guard let data = try? Data(contentsOf: file),
            let file = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
            let cases = file["cases"] as? [[String: Any]]
        else { return [] }
        let requests = cases.compactMap { SharedRequest($0) }
        ConformanceFiles.announce(requests.count, for: "SharedRequestTests")
        return requests
    }()
}
