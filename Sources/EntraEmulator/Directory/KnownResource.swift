// Licensed under the MIT License. See LICENSE.

import Foundation

/// A resource of Microsoft's cloud that apps can get tokens for.
struct KnownResource: Sendable {
    /// The client ID of its registration, which exists in every tenant.
    let clientID: String
    let displayName: String
    /// The names that apps use for the API in addition to its client ID.
    let uris: [String]
    var scopes = ["user_impersonation"]
    var roles: [String] = []

    /// The APIs of Microsoft in the default directory. Source of the IDs: Microsoft Entra, "Verify first-party
    /// Microsoft applications in sign-in reports", and the sign-in pages of the services.
    static let all = [
        KnownResource(
            clientID: "499b84ac-1321-427f-aa17-267ca6975798",
            displayName: "Azure DevOps",
            uris: ["https://app.vssps.visualstudio.com"]
        ),
        KnownResource(
            clientID: "6a0ec4d3-30cb-4a83-91c0-ae56bc0e3d26",
            displayName: "Azure Container Registry",
            uris: ["https://containerregistry.azure.net"]
        ),
        KnownResource(
            clientID: "6dae42f8-4368-4678-94ff-3960e28e3630",
            displayName: "Azure Kubernetes Service AAD Server",
            uris: ["https://aks-aad-server.azure.com"],
            scopes: ["user.read"]
        ),
        KnownResource(
            clientID: "cfa8b339-82a2-471a-a3c9-0fc0be7a4093",
            displayName: "Azure Key Vault",
            uris: ["https://vault.azure.net"]
        ),
        KnownResource(
            clientID: "e406a681-f3d4-42a8-90b6-c2b029497af1",
            displayName: "Azure Storage",
            uris: ["https://storage.azure.com"]
        ),
        KnownResource(
            clientID: "022907d3-0f1b-48f7-badc-1ba6abab6d66",
            displayName: "Azure SQL Database",
            uris: ["https://database.windows.net"]
        ),
        KnownResource(
            clientID: "123cd850-d9df-40bd-94d5-c9f07b7fa203",
            displayName: "Azure OSSRDBMS Database",
            uris: ["https://ossrdbms-aad.database.windows.net"]
        ),
        KnownResource(
            clientID: "80a10ef9-8168-493d-abf9-3297c4ef6e3c",
            displayName: "Microsoft.ServiceBus",
            uris: ["https://servicebus.azure.net"]
        ),
        KnownResource(
            clientID: "80369ed6-5f11-4dd9-bef3-692475845e77",
            displayName: "Microsoft.EventHubs",
            uris: ["https://eventhubs.azure.net"]
        ),
        KnownResource(
            clientID: "00000002-0000-0ff1-ce00-000000000000",
            displayName: "Office 365 Exchange Online",
            uris: ["https://outlook.office365.com", "https://outlook.office.com"],
            scopes: ["EWS.AccessAsUser.All", "IMAP.AccessAsUser.All", "POP.AccessAsUser.All", "SMTP.Send"],
            roles: ["full_access_as_app", "IMAP.AccessAsApp", "POP.AccessAsApp", "SMTP.SendAsApp"]
        ),
    ]

    /// The resource with a URI or client ID, regardless of case.
    static func named(_ name: String) -> KnownResource? {
        all.first { ($0.uris + [$0.clientID]).contains(name.lowercased()) }
    }
}

extension API {
    /// The API of a URI or client ID; `nil` for anything else. An unknown one gets a client ID derived from the URI,
    /// and the scope `user_impersonation`.
    init?(resource: String) {
        let name = Self.plain(resource)
        if let known = KnownResource.named(name) {
            self.init(
                audience: known.clientID,
                identifiers: known.uris,
                displayName: known.displayName,
                scopes: known.scopes.map { Scope(name: $0, summary: $0) }
            )
            roles = known.roles.map { Role(value: $0) }
        } else {
            let isGUID = UUID(uuidString: name) != nil
            guard isGUID || Self.isURI(name) else { return nil }
            self.init(
                audience: isGUID ? name : UUID.derived(from: "resource", name).text,
                identifiers: isGUID ? [] : [String(resource.hasSuffix("/") ? resource.dropLast() : resource[...])],
                displayName: resource,
                scopes: [Scope(name: "user_impersonation", summary: "Act as you at \(resource)")]
            )
        }
        acceptedTokenVersion = 1
    }

    /// Whether its tokens contain the capabilities of the client (`xms_cc`): its registration asks for the claim, or
    /// the API is Microsoft's.
    var receivesCapabilities: Bool {
        requests("xms_cc") || isGraph
            || audience == Self.azureResourceManager.audience || KnownResource.named(audience) != nil
    }

    /// Whether a text is a URI with something after its scheme, in printable ASCII.
    private static func isURI(_ text: String) -> Bool {
        let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 && !parts[0].isEmpty && !parts[1].isEmpty && parts[0].allSatisfy(\.isLetter)
            && text.utf8.count <= 256 && text.utf8.allSatisfy { (0x21...0x7E).contains($0) } && !text.hasSuffix("/")
    }
}
