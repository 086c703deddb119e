// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore

/// The arguments with which a command line is asked for a token (docs/reference/Services.md#command-lines).
struct CommandLineCall: Sendable {
    let arguments: [String]

    /// Checks every part before a program is started.
    ///
    /// - Throws: `.invalidScopes`; `.configuration` for a malformed tenant or subscription; `.interactionRequired` if
    ///   only the developer can satisfy the claims.
    init(
        _ tool: MSALCommandLineTool,
        request: MSALTokenRequest,
        tenant: String?,
        subscription: String?,
        environment: ServerEnvironment
    ) throws(MSALTokenError) {
        try Self.check(request.scopes, of: tool)
        if let tenant { try TenantPolicy.check(tenant, of: "The tenant") }
        if let subscription { try Self.check(subscription: subscription) }
        let claims = request.options.claims
        switch tool.name {
        case .az:
            if let claims { throw Self.interaction(tool, request: request, claims: claims, tenant: tenant) }
            arguments =
                ["account", "get-access-token", "--output", "json", "--resource", Self.resource(request.scopes)]
                + Self.option("--tenant", of: tenant) + Self.option("--subscription", of: subscription)
        case .azd:
            arguments =
                ["auth", "token", "--output", "json", "--no-prompt"]
                + request.scopes.flatMap { ["--scope", $0] } + Self.option("--tenant-id", of: tenant)
                + Self.option("--claims", of: claims.map { Data($0.utf8).base64EncodedString() })
        case .msal:
            // If the address is malformed, the command itself says what is wrong with it.
            let host = AuthorityHost.address(environment.variable("AZURE_AUTHORITY_HOST") ?? AuthorityHost.usual)
            arguments =
                ["token", "--output", "json", "--show-token"]
                + request.scopes.flatMap { ["--scope", $0] }
                + Self.option("--authority", of: tenant.flatMap { host?.appending(path: $0).absoluteString })
                + Self.option("--claims", of: claims) + (request.options.forceRefresh ? ["--refresh"] : [])
        }
    }

    private static func option(_ name: String, of value: String?) -> [String] { value.map { [name, $0] } ?? [] }

    private static func resource(_ scopes: [String]) -> String {
        let scope = scopes.first ?? ""
        return scope.hasSuffix("/.default") ? String(scope.dropLast("/.default".count)) : scope
    }

    private static func check(_ scopes: [String], of tool: MSALCommandLineTool) throws(MSALTokenError) {
        guard !scopes.isEmpty, tool.name != .az || scopes.count == 1 else {
            throw MSALTokenError(
                .invalidScopes,
                message: scopes.isEmpty
                    ? "No scope was given. Ask for <resource>/.default."
                    : "\(tool.product.capitalizedFirst) accepts one scope at a time."
            )
        }
        for scope in scopes {
            // The program would take a value that begins with `-` for an option.
            guard let first = scope.first, first != "-",
                scope.utf8.allSatisfy({ $0.isASCIILetterOrDigit || ".-:/_".utf8.contains($0) })
            else {
                throw MSALTokenError(
                    .invalidScopes,
                    message:
                        "A scope has letters that \(tool) is not given. It may have letters, digits and any of _.:/-"
                )
            }
        }
    }

    private static func check(subscription: String) throws(MSALTokenError) {
        let isName = subscription.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII
                ? UInt8(scalar.value).isASCIILetterOrDigit || ".-_ ()".unicodeScalars.contains(scalar)
                : scalar.properties.isAlphabetic
        }
        guard let first = subscription.first, first != "-", isName else {
            throw MSALTokenError(
                .configuration,
                message: "This cannot be a subscription. Its name may have letters, digits, spaces and any of _-(). "
                    + "Or give its ID."
            )
        }
    }

    private static func interaction(
        _ tool: MSALCommandLineTool,
        request: MSALTokenRequest,
        claims: String,
        tenant: String?
    ) -> MSALTokenError {
        var refusal = OAuthError(error: "interaction_required")
        refusal.claims = claims
        let encoded = Data(claims.utf8).base64EncodedString()
        let command = tool.signIn(tenant: tenant, claims: encoded, scope: request.scopes.first)
        return MSALTokenError(
            .interactionRequired,
            message: "The API requires another sign-in of the user. Run: \(command)",
            refusal: refusal
        )
    }
}

extension String {
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
