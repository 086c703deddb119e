// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALSupport

/// Tokens of the developer who is signed in to a command line: `msal`, `az` or `azd`.
///
/// It is meant for a developer's machine. The token is the developer's own, and is kept until five minutes before its end,
/// so that the program runs once for it.
public final class MSALCommandLineCredential: MSALTokenCredential, ClosedMirror {
    /// The program that is asked.
    public let tool: MSALCommandLineTool

    private let options: MSALCommandLineOptions
    private let policy: TenantPolicy
    private let environment: ServerEnvironment
    private let tokens: AppTokens
    private let partition: AppTokenCache.Partition

    /// A credential that asks `tool`. Nothing is started before the first call.
    public convenience init(_ tool: MSALCommandLineTool, options: MSALCommandLineOptions = MSALCommandLineOptions()) {
        self.init(tool, options: options, environment: .system())
    }

    package init(
        _ tool: MSALCommandLineTool,
        options: MSALCommandLineOptions = MSALCommandLineOptions(),
        environment: ServerEnvironment
    ) {
        self.tool = tool
        self.options = options
        self.environment = environment
        policy = TenantPolicy(
            configured: options.tenant,
            additional: options.additionallyAllowedTenants,
            environment: environment
        )
        let cache = AppTokenCache()
        tokens = AppTokens(cache: cache, environment: environment)
        partition = cache.partition(environment: tool.description, clientID: "")
    }

    /// The developer's token for the request.
    ///
    /// - Throws: `.credentialUnavailable` if the program is not installed or nobody is signed in, with the command to run;
    ///   `.interactionRequired` if the developer has to sign in for the claims; `.authenticationFailed` for its failures.
    nonisolated(nonsending) public func token(
        for request: MSALTokenRequest
    ) async throws(MSALTokenError) -> MSALTokenResult {
        let tenant = try policy.tenant(request.options.tenant)
        let key = AppTokenKey(
            partition: partition,
            realm: tenant ?? "",
            target: request.scopes.count == 1 ? request.scopes[0] : request.scopes.joined(separator: " ")
        )
        let reason: MSALTokenResult.Reason
        switch tokens.look(for: key, options: request.options, at: environment.time.wholeSeconds) {
        case .hit(let token): return MSALTokenResult(token, source: .cache)
        case .miss(let cause): reason = cause
        }
        let call = try CommandLineCall(
            tool,
            request: request,
            tenant: tenant,
            subscription: options.subscription,
            environment: environment
        )
        return try await tokens.fetch(key, because: reason, claims: request.options.claims) { [self] in
            await ask(call, scopes: request.scopes, tenant: tenant)
        }
    }

    private func ask(_ call: CommandLineCall, scopes: [String], tenant: String?) async -> AppTokens.Outcome {
        var variables = environment.allVariables()
        variables["AZURE_CORE_NO_COLOR"] = "true"
        let command = ServerCommand(
            tool.description,
            arguments: call.arguments,
            variables: variables,
            limit: options.timeout
        )
        let result: CommandOutput
        do {
            result = try await environment.commands.run(command)
        } catch {
            return .failure(CommandLineFailure.failure(error, of: tool, limit: options.timeout))
        }
        let zone = environment.variable("TZ")
        guard
            result.status == 0,
            let token = CommandLineAnswer.token(in: result.output, scopes: scopes, tenant: tenant, timeZone: zone)
        else { return .failure(CommandLineFailure.failure(result, of: tool, tenant: tenant)) }
        return .success(token)
    }
}
