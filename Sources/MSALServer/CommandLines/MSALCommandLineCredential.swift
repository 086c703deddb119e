// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// Gets tokens from a command-line tool that a developer is signed in to: `msal`, `az` or `azd`.
///
/// It is meant for development machines. Tokens are issued to the developer. A token is cached until five minutes
/// before it expires, so the tool runs only once for it.
///
/// ```swift
/// let credential = MSALCommandLineCredential(.azureCLI)
/// let result = try await credential.token(for: MSALTokenRequest(scopes: ["https://management.azure.com/.default"]))
/// ```
public final class MSALCommandLineCredential: MSALTokenCredential, ServerRedactedReflection {
    /// The tool that provides the tokens.
    public let tool: MSALCommandLineTool

    private let subscription: String?
    private let limit: Duration
    private let policy: TenantPolicy
    private let environment: ServerEnvironment
    private let tokens: AccessTokenSource
    private let partition: AccessTokenCache.Partition

    /// Creates a credential that uses `tool`. The tool is not started before the first call.
    ///
    /// - Parameters:
    ///   - tool: The tool that provides the tokens.
    ///   - tenant: The tenant ID or one of the tenant's domains. `nil` selects the tenant of the developer's sign-in.
    ///   - subscription: The name or id of the subscription whose account is used; only for the Azure CLI.
    ///   - options: The settings that all credentials share. The tool uses its own settings for its requests.
    public convenience init(
        _ tool: MSALCommandLineTool,
        tenant: String? = nil,
        subscription: String? = nil,
        options: MSALCredentialOptions = MSALCredentialOptions()
    ) {
        self.init(tool, tenant: tenant, subscription: subscription, options: options, environment: .system(options))
    }

    package init(
        _ tool: MSALCommandLineTool,
        tenant: String? = nil,
        subscription: String? = nil,
        options: MSALCredentialOptions = MSALCredentialOptions(),
        environment: ServerEnvironment
    ) {
        let environment = environment.applying(options)
        self.tool = tool
        self.subscription = subscription
        self.environment = environment
        limit = options.requestTimeout
        policy = TenantPolicy(
            configured: tenant,
            additional: options.additionallyAllowedTenants,
            environment: environment
        )
        let cache = AccessTokenCache()
        tokens = AccessTokenSource(cache: cache, environment: environment)
        partition = cache.partition(environment: tool.description, clientID: "")
    }

    /// Returns the developer's token for the request.
    ///
    /// - Throws: `.credentialUnavailable` if the tool is not installed or no user is signed in (the message contains
    ///   the command to run); `.interactionRequired` if the developer has to sign in again because of the claims;
    ///   `.authenticationFailed` if the tool fails.
    nonisolated(nonsending) public func token(
        for request: MSALTokenRequest
    ) async throws(MSALTokenError) -> MSALTokenResult {
        let tenant = try policy.tenant(request.options.tenant)
        let key = AccessTokenKey(
            partition: partition,
            realm: tenant ?? "",
            target: request.scopes.count == 1 ? request.scopes[0] : request.scopes.joined(separator: " ")
        )
        let reason: MSALTokenResult.Reason
        switch tokens.lookup(key, options: request.options, at: environment.time.wholeSeconds) {
        case .hit(let token): return MSALTokenResult(token, source: .cache)
        case .miss(let cause): reason = cause
        }
        let call = try CommandLineCall(
            tool,
            request: request,
            tenant: tenant,
            subscription: subscription,
            environment: environment
        )
        return try await environment.measured { () throws(MSALTokenError) in
            try await tokens.fetch(key, because: reason, options: request.options) {
                [self] () throws(MSALTokenError) in
                try await runTool(call, scopes: request.scopes, tenant: tenant)
            }
        }
    }

    private func runTool(
        _ call: CommandLineCall,
        scopes: [String],
        tenant: String?
    ) async throws(MSALTokenError) -> CachedAccessToken {
        var variables = environment.allVariables()
        variables["AZURE_CORE_NO_COLOR"] = "true"
        let command = ServerCommand(tool.description, arguments: call.arguments, variables: variables, limit: limit)
        let result: CommandOutput
        do {
            result = try await environment.commands.run(command)
        } catch {
            throw CommandLineFailure.failure(error, of: tool, limit: limit)
        }
        guard
            result.status == 0,
            let token = CommandLineResponse.token(in: result.output, scopes: scopes, tenant: tenant)
        else { throw CommandLineFailure.failure(result, of: tool, tenant: tenant) }
        return token
    }
}
