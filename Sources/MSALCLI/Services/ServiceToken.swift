// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import Logging
import MSALServer

/// The work of `msal token` for an application or a machine.
struct ServiceToken {
    var choice: ServiceChoice
    var sources: SettingSources
    var isRefresh = false
    var claims: String?

    /// Gets the token.
    ///
    /// - Throws: `Failure`.
    func report(showsToken: Bool, isDebug: Bool = false) async throws -> ServiceTokenReport {
        let scopes = sources.scopes
        guard !scopes.isEmpty else {
            throw Failure.usage(
                "No scope is specified.",
                remedy: "Pass --scope with <resource>/.default, such as https://graph.microsoft.com/.default"
            )
        }
        do {
            ServiceLog.begin()
            let identity = try ServiceCredential(choice, sources: sources)
            var request = MSALTokenRequest(scopes: scopes)
            request.options.forceRefresh = isRefresh
            request.options.claims = try ClaimsChallenge.parse(claims)?.text
            let result = try await WaitLine.waiting(for: .network) { [request] in
                try await identity.credential.token(for: request)
            }
            return ServiceTokenReport(result, identity: identity.words, showsToken: showsToken, isDebug: isDebug)
        } catch let error as MSALTokenError {
            throw Failure(error)
        }
    }
}

extension SettingSources {
    /// The host that gives tokens to applications: the host of an authority, or a host alone. Applications have their
    /// own variable for it. The variable overrides the profile, like every variable.
    var authorityHost: String? {
        options.authority ?? environment["MSAL_AUTHORITY"] ?? environment["AZURE_AUTHORITY_HOST"] ?? profile.authority
    }

    /// The tenant for an application without `--tenant`: that of the authority. The variable that applications have for it
    /// overrides the profile.
    var authorityTenant: String? {
        (options.authority ?? environment["MSAL_AUTHORITY"]).flatMap(Self.tenant) ?? environment["AZURE_TENANT_ID"]
            ?? profile.authority.flatMap(Self.tenant)
    }

    /// The tenant of an authority; `nil` for a host alone, and for an authority of several tenants.
    private static func tenant(of authority: String) -> String? {
        let name = URL(string: authority)?.pathComponents.dropFirst().first
        return ["common", "organizations", "consumers"].contains(name?.lowercased()) ? nil : name
    }
}

extension Failure {
    /// The failure of a token request for an application or a machine. The message has the remedy if the library knows
    /// one.
    init(_ error: MSALTokenError) {
        let lines = error.message.split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        let advice = ServiceRemedy(codes: error.serviceCodes)
        self.init(
            status: Self.status(error, advice: advice),
            code: error.code,
            message: lines.first ?? "No token was returned."
        )
        details = Array(lines.dropFirst())
        remedy = advice?.textForApplication ?? error.serviceCodes.first.map(ServiceRemedy.explanation)
        correlationID = error.correlationID?.uuidString
        serviceCodes = error.serviceCodes
        claims = error.claims
    }

    private static func status(_ error: MSALTokenError, advice: ServiceRemedy?) -> CommandExit {
        // A user's command has this status for the same mistake.
        if let advice, [.tenantName, .tenant, .host].contains(advice) { return .usage }
        switch error.kind {
        case .configuration, .invalidCredential, .invalidCertificate, .invalidScopes, .tenantRequired,
            .tenantNotAllowed,
            .userAssignedNotSupported, .certificateRequired, .notSupportedInCloud:
            return .usage
        case .interactionRequired, .consentRequired:
            let isFixedBySignIn = error.claims != nil || advice?.isSignIn ?? true
            return isFixedBySignIn ? .interactionRequired : .failed
        case .network, .serviceUnavailable: return .network
        case .cancelled: return .canceled
        default: return .failed
        }
    }
}

/// Writes the log lines of `MSALServer` to standard error, if the user asked for them. See ``CommandLog``.
struct ServiceLog: LogHandler {
    private static let started: Void = LoggingSystem.bootstrap { _ in ServiceLog() }

    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = Logger.Level(rawValue: CommandLog.serviceLevelName) ?? .critical

    /// Replaces the default log handler of swift-log, which writes every line. A second call does nothing.
    static func begin() { started }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        guard CommandLog.isWanted else { return }
        let id = event.metadata?["correlation-id"].map { " (\($0))" } ?? ""
        Terminal.errors.write("\("\(event.message)")\(id)")
    }
}
