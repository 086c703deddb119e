// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird
import MSALBase

/// The part of Azure Resource Manager that a sign-in of the Azure CLI uses: the endpoints of the cloud, and the tenants
/// and subscriptions of the caller. Each workforce tenant has one subscription, which is empty.
struct ResourceManagerEndpoints: Sendable {
    let directory: ServedDirectory
    let resourceGuard: ResourceGuard

    /// `GET /metadata/endpoints`: the cloud description that `az cloud register` reads. Requires no token.
    func metadata(_ exchange: Exchange) throws -> Response {
        .json([
            "name": "EntraEmulator",
            "portal": .string(exchange.base),
            "authentication": [
                "loginEndpoint": .string(exchange.base),
                "audiences": ["https://management.core.windows.net/", "https://management.azure.com/"],
                "tenant": "common",
                "identityProvider": "AAD",
            ],
            "resourceManager": .string(exchange.base),
            "graphAudience": "https://graph.microsoft.com/",
            "microsoftGraphResourceId": "https://graph.microsoft.com/",
            "suffixes": [:],
        ])
    }

    /// `GET /tenants`: the tenants in which the user has an account, or the tenant of the application.
    func tenants(_ exchange: Exchange) async throws -> Response {
        try await guarded(exchange) { caller in
            directory.tenants.filter { caller.belongs(to: $0) }.map { tenant in
                [
                    "id": .string("/tenants/\(tenant.id)"),
                    "tenantId": .string(tenant.id),
                    "displayName": .string(tenant.displayName),
                    "defaultDomain": .string(tenant.domain),
                    "domains": .strings([tenant.domain] + tenant.aliases.filter { $0.contains(".") }),
                    "tenantCategory": tenant.id == caller.homeTenantID ? "Home" : "ProjectedBy",
                    "tenantType": "AAD",
                ]
            }
        }
    }

    /// `GET /subscriptions`: the subscription of the token's tenant.
    func subscriptions(_ exchange: Exchange) async throws -> Response {
        try await guarded(exchange) { caller in
            directory.tenants.filter { $0.id == caller.tenantID && $0.kind == .workforce }.map { tenant in
                let id = UUID.derived(from: "subscription", tenant.id).text
                return [
                    "id": .string("/subscriptions/\(id)"),
                    "subscriptionId": .string(id),
                    "tenantId": .string(tenant.id),
                    "displayName": .string("\(tenant.displayName) subscription"),
                    "state": "Enabled",
                    "authorizationSource": "RoleBased",
                    "managedByTenants": [],
                ]
            }
        }
    }

    // MARK: The caller

    /// The user or the application of a token.
    private struct Caller {
        let tenantID: String
        let user: User?

        var homeTenantID: String { user?.homeTenantID ?? tenantID }

        func belongs(to tenant: Tenant) -> Bool {
            user.map { $0.objectID(in: tenant.id) != nil } ?? (tenant.id == tenantID)
        }
    }

    private func guarded(_ exchange: Exchange, list: (Caller) -> [JSONValue]) async throws -> Response {
        do {
            return .json(["value": .array(list(try await caller(exchange)))])
        } catch let rejection as ResourceGuard.Rejection {
            return try refuse(rejection, exchange: exchange)
        }
    }

    private func caller(_ exchange: Exchange) async throws -> Caller {
        let audience = API.azureResourceManager.audience
        let (claims, scheme) = try await resourceGuard.claims(of: exchange, audience: audience)
        let tenantID = claims["tid"]?.string ?? ""
        guard claims["scp"] != nil else { return Caller(tenantID: tenantID, user: nil) }
        let user = try await resourceGuard.user(
            of: claims,
            sentAs: scheme,
            anyOf: ["user_impersonation"],
            at: exchange.now
        )
        return Caller(tenantID: tenantID, user: user)
    }

    private func refuse(_ rejection: ResourceGuard.Rejection, exchange: Exchange) throws -> Response {
        let (status, code): (HTTPResponse.Status, String) =
            switch rejection.reason {
            case .missing: (.unauthorized, "AuthenticationFailed")
            case .invalid: (.unauthorized, "InvalidAuthenticationToken")
            case .claimsNeeded: (.unauthorized, "TokenIssuedBeforeRevocationTimestamp")
            case .insufficientScope: (.forbidden, "AuthorizationFailed")
            }
        RequestNotes.note(error: code, message: rejection.explanation)
        var response = Response.json(
            ["error": ["code": .string(code), "message": .string(rejection.explanation)]],
            status: status
        )
        if status == .unauthorized {
            let reason =
                rejection.claimsParameters.isEmpty
                ? ", error=\"invalid_token\", error_description=\"\(rejection.explanation)\""
                : rejection.claimsParameters
            response.headers[.wwwAuthenticate] =
                "\(rejection.scheme.rawValue) authorization_uri=\"\(exchange.base)/common\"\(reason)"
        }
        return response
    }
}
