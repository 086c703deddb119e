// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// A token for Microsoft Graph, the address to which it may be sent, and the remedy if Microsoft Graph refuses it.
struct GraphAccess {
    let sender: GraphSender
    let remedyContext: RemedyContext
    fileprivate let settings: Settings

    /// Runs work that needs the network. If no response comes because of a wrong setting, the failure names that
    /// setting.
    ///
    /// - Throws: As ``Settings/connected(_:)``.
    func connected<Value>(_ work: () async throws -> Value) async throws -> Value {
        try await settings.connected(work)
    }

    /// The response if it is a success.
    ///
    /// - Throws: `Failure` with Microsoft Graph's message, for any other response.
    func response(_ answer: GraphHTTPResponse) throws(Failure) -> GraphResponse {
        try GraphResponse(answer, of: sender.graph).checked(remedyContext)
    }
}

extension GraphCommand {
    /// Gets the token.
    ///
    /// - Throws: `Failure`; what the library throws.
    func access(for address: GraphPath) async throws -> GraphAccess {
        service.choice.isChosen ? try await serviceAccess(address) : try await userAccess(address)
    }

    private func userAccess(_ address: GraphPath) async throws -> GraphAccess {
        let settings = try Settings(client, scopes: scope)
        let named = try named(settings, address: address, environment: settings.environment)
        let application = try settings.application()
        var query = SilentQuery(settings, signIn: SignInCommand(client, scopes: scope))
        query.accountName = account
        let result = try await query.token(by: application)
        await output.warn(isPersisted: result.isPersisted)
        let graph = try await WaitLine.ofCallingThread.during(.network) {
            try await settings.connected {
                try await GraphChoice.url(named: named, environment: result.account.environment) {
                    try await application.graphHost(of: result.authority)
                }
            }
        }
        let sender = GraphSender(
            graph: graph,
            client: MSALAPIClient(caFile: settings.caFile),
            authorization: PrivateText(result.authorizationHeader),
            correlationID: result.correlationId.uuidString,
            repeatsChanges: retry
        )
        var remedyContext = query.remedyContext
        remedyContext.offersRetry = !retry
        return GraphAccess(sender: sender, remedyContext: remedyContext, settings: settings)
    }

    private func serviceAccess(_ address: GraphPath) async throws -> GraphAccess {
        let settings = try Settings(client, scopes: scope, needsClientID: false)
        var sources = try SettingSources(client, scopes: scope)
        let environment =
            try sources.authorityHost.map { try AuthorityChoice.host(of: $0) }
            .flatMap { URL(string: $0) }.flatMap { ServiceHost($0)?.environment } ?? Cloud.all[0].hosts[0]
        let named = try named(settings, address: address, environment: environment)
        let graph = try await settings.connected {
            try await GraphChoice.url(named: named, environment: environment) {
                let authority = try AuthorityChoice.authority("https://\(environment)/common")
                return try await settings.application().graphHost(of: authority)
            }
        }
        if sources.scopes.isEmpty { sources.scopeOptions = [Self.allPermissions(of: environment)] }
        let token = try await ServiceToken(choice: service.choice, sources: sources).report(showsToken: false)
        let sender = GraphSender(
            graph: graph,
            client: MSALAPIClient(caFile: settings.caFile),
            authorization: PrivateText("\(token.tokenType) \(token.token.exposed)"),
            correlationID: token.correlationId ?? UUID().uuidString,
            repeatsChanges: retry
        )
        let remedyContext = RemedyContext(settings: settings, isService: true, offersRetry: !retry)
        return GraphAccess(sender: sender, remedyContext: remedyContext, settings: settings)
    }

    /// The scope for all permissions of an application at Microsoft Graph, in the cloud of the environment.
    private static func allPermissions(of environment: String) -> String {
        "https://\(Cloud.of(host: environment)?.graphs.first ?? Cloud.all[0].graphs[0])/.default"
    }

    /// The Microsoft Graph that the user named. Arguments that cannot work are refused before a token is requested.
    private func named(_ settings: Settings, address: GraphPath, environment: String) throws -> URL? {
        guard let named = try graphURL.map(Settings.graph) ?? settings.graph else { return nil }
        try GraphChoice.check(named, environment: environment)
        _ = try address.url(at: named)
        return named
    }
}
