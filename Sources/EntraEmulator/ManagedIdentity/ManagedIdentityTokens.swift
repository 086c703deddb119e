// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase

/// Issues tokens of managed identities in the format of each host.
struct ManagedIdentityTokens: Sendable {
    let directory: ServedDirectory
    let issuer: TokenIssuer
    let machine: MachineIdentities
    /// The lifetime of a token.
    let lifetime: Duration

    /// Responds to a validated request.
    ///
    /// - Throws: `IdentityRefusal` for an unknown identity or resource.
    func respond(
        to request: IdentityTokenRequest,
        at source: ManagedIdentitySource,
        exchange: Exchange
    ) async throws -> Response {
        let identity = try machine.identity(for: request, at: source)
        guard let tenant = directory.tenant(named: identity.tenant) else { throw IdentityRefusal.serverFault }
        guard let api = directory.api(identifier: request.resource) else {
            throw IdentityRefusal.unknownResource(request.resource, tenant: tenant)
        }
        var principal = ApplicationPrincipal(
            clientID: identity.clientID,
            objectID: identity.objectID,
            tenant: tenant,
            authentication: .assertion,
            roles: identity.grantedRoles[api.audience] ?? []
        )
        principal.capabilities = request.capabilities
        principal.claims = ["xms_mirid": .string(Self.resourceID(of: identity))]
        principal.lifetime = lifetime
        let token = try await issuer.applicationToken(
            for: api,
            named: request.resource,
            to: principal,
            exchange: exchange
        )
        return .json(.object(members(token, of: identity, request: request, source: source, now: exchange.now)))
    }

    /// The resource of a system-assigned identity is the machine.
    private static func resourceID(of identity: EmulatorDirectory.ManagedIdentity) -> String {
        identity.resourceID
            ?? "/subscriptions/00000000-0000-4000-8000-0000000000f1/resourcegroups/contoso/providers/"
            + "Microsoft.Compute/virtualMachines/\(identity.name)"
    }

    private func members(
        _ token: String,
        of identity: EmulatorDirectory.ManagedIdentity,
        request: IdentityTokenRequest,
        source: ManagedIdentitySource,
        now: Date
    ) -> [String: JSONValue] {
        let start = Int(now.timeIntervalSince1970)
        let seconds = JSONValue.string(String(lifetime.wholeSeconds))
        var members: [String: JSONValue] = [
            "access_token": .string(token),
            "expires_on": .string(String(start + lifetime.wholeSeconds)),
            "resource": .string(request.resource),
            "token_type": "Bearer",
        ]
        switch source {
        case .imds, .azureArc:
            members["client_id"] = .string(identity.clientID)
            members["expires_in"] = seconds
            members["ext_expires_in"] = seconds
            members["not_before"] = .string(String(start))
        case .appService, .machineLearning: members["client_id"] = .string(identity.clientID)
        case .cloudShell:
            members["refresh_token"] = ""
            members["expires_in"] = seconds
            members["not_before"] = .string(String(start))
        case .serviceFabric: members["expires_on"] = .int(start + lifetime.wholeSeconds)
        }
        // An old agent ignores the ID; repeating it shows that this one did not.
        if source == .azureArc, let requested = request.identity {
            members[requested.parameter] = .string(requested.value)
        }
        return members
    }
}
