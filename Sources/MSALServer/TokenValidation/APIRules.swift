// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore

/// The checked settings of one API, with the keys of its issuers.
final class APIRules: Sendable {
    /// The versions of access tokens of Microsoft Entra ID. Other issuers have one only.
    enum Version: String, Sendable {
        case version1 = "1.0"
        case version2 = "2.0"
    }

    let configuration: MSALTokenValidatorConfiguration
    let authority: Authority
    private let log: RejectionLog
    private let scopeBase: String
    let environment: ServerEnvironment
    let tenants: TenantRule
    let clients: Set<String>?
    let clockSkew: Double
    let proofs: ProofRules?
    private let audiences: Set<String>
    private let version1Audiences: Set<String>
    private let version2: IssuerKeys
    /// `nil` if the kind of authority has one version of tokens only.
    private let entraVersion1: IssuerKeys?

    /// - Throws: `.configuration`, which names the setting.
    init(
        _ configuration: MSALTokenValidatorConfiguration,
        environment: ServerEnvironment,
        log: RejectionLog
    ) throws(MSALTokenError) {
        let authority = try configuration.authority.authority()
        try Self.check(configuration, authority: authority)
        self.configuration = configuration
        self.authority = authority
        self.log = log
        let uri = configuration.applicationIdUri ?? "api://\(configuration.clientId)"
        scopeBase = uri.hasSuffix("/") ? uri : "\(uri)/"
        self.environment = environment
        environment.instruments.announceValidations(rejections: MSALTokenRejection.Code.allCases.map(\.rawValue))
        tenants = try TenantRule(configuration.tenants, authority: authority, environment: environment)
        clients = configuration.clients.map { Set($0.map(\.lowercasedASCII)) }
        clockSkew = configuration.clockSkew / .seconds(1)
        proofs = try configuration.proofs.map { (settings) throws(MSALTokenError) in
            try ProofRules(settings, authority: authority.kind, time: environment.time)
        }
        let names: Set<String> = [configuration.clientId, configuration.clientId.lowercased()]
        audiences = names.union(configuration.audiences)
        let uris = names.map { "api://\($0)" } + [configuration.applicationIdUri].compactMap(\.self)
        version1Audiences = Set(
            audiences.union(uris).flatMap { name in
                guard name.contains(":") else { return [name] }
                return name.hasSuffix("/") ? [name, String(name.dropLast())] : [name, "\(name)/"]
            }
        )
        let keys = { (url: URL) in
            IssuerKeys(
                authority: authority,
                metadataURL: url,
                grace: configuration.vanishedKeyGrace,
                environment: environment
            )
        }
        version2 = keys(authority.openIDConfigurationURL)
        entraVersion1 = authority.kind == .aad ? keys(authority.appending(".well-known/openid-configuration")) : nil
    }

    private static func check(
        _ configuration: MSALTokenValidatorConfiguration,
        authority: Authority
    ) throws(MSALTokenError) {
        func fault(_ message: String) -> MSALTokenError { MSALTokenError(.configuration, message: message) }
        guard !configuration.clientId.allSatisfy(\.isWhitespace) else {
            throw fault("The client ID of the API is blank. Give the ID of its registration.")
        }
        switch authority.kind {
        case .aad, .b2c, .ciam: break
        case .adfs, .oidc:
            throw fault("Tokens of \(authority) cannot be checked. Give an authority of Entra ID, B2C or External ID.")
        }
        guard !configuration.audiences.contains(""), configuration.clients?.contains("") != true else {
            throw fault("An audience or a client ID is empty. Remove it, or leave the setting out.")
        }
        guard configuration.clients?.isEmpty != true else {
            throw fault("The list of clients is empty, so no client could call the API. Omit it to allow any client.")
        }
        guard (Duration.zero...Duration.seconds(3600)).contains(configuration.clockSkew) else {
            throw fault("The clock skew must be between zero and an hour.")
        }
        guard configuration.maximumRememberedTokens >= 0, configuration.vanishedKeyGrace >= .zero else {
            throw fault("The number of remembered tokens and the grace of keys cannot be negative.")
        }
        if let url = configuration.resourceMetadata {
            guard HTTPAddress(url.absoluteString) != nil, !url.absoluteString.contains("\"") else {
                throw fault("The address of the resource's metadata must be https.")
            }
        }
    }
}

// MARK: - The response

extension APIRules: CalledAPI {
    /// For clients that read the metadata (RFC 9728), the response names them, and the scopes that would have been enough as a
    /// client asks for them.
    func answer(
        _ rejection: MSALTokenRejection,
        to token: String?,
        requiring requirement: MSALRequirement
    ) -> MSALTokenRejection {
        answer(rejection, requiring: requirement) { token.flatMap { try? CompactToken($0) } }
    }

    /// `parts`: The token, unless it cannot be read. Then it has no claims to name.
    func answer(
        _ rejection: MSALTokenRejection,
        requiring requirement: MSALRequirement,
        parts: () -> CompactToken?
    ) -> MSALTokenRejection {
        log.note(rejection, of: self) {
            parts().flatMap { RejectionFinding(rejection.code, of: $0, at: self, requiring: requirement) }
        }
        guard let metadata = configuration.resourceMetadata else { return rejection }
        return rejection.naming(metadata, scopes: requirement.scopes.map { scopeBase + $0 })
    }
}

// MARK: - The issuer

extension APIRules {
    /// The kind of the issuer. Only the metadata show that a custom domain belongs to an External ID tenant.
    var issuerKind: Authority.Kind { version2.knownMetadata?.isOfExternalID == true ? .ciam : authority.kind }

    private var version1: IssuerKeys? { issuerKind == .aad ? entraVersion1 : nil }

    /// The keys of all versions, for work that is done before the first token.
    var allKeys: [IssuerKeys] { [version2] + (version1.map { [$0] } ?? []) }

    /// Fetches the metadata and the keys of all versions.
    ///
    /// - Throws: `.configuration` if no token of the issuer could be accepted; `.serviceUnavailable` if they cannot be
    ///   fetched.
    func prepare() async throws(MSALTokenError) {
        try await prepare(version2)
        // The metadata have said whether there is another version.
        if let version1 { try await prepare(version1) }
    }

    private func prepare(_ keys: IssuerKeys) async throws(MSALTokenError) {
        do throws(MSALTokenRejection) {
            try await keys.prepare()
        } catch {
            if let fault = keys.fault { throw MSALTokenError(.configuration, message: fault) }
            throw MSALTokenError(
                .serviceUnavailable,
                message: "The keys of \(authority) cannot be fetched, so its tokens cannot be checked yet."
            )
        }
        guard let metadata = keys.knownMetadata, !tenants.mayAllow(metadata) else { return }
        throw MSALTokenError(
            .configuration,
            message:
                "The tokens of \(authority) have the issuer \(metadata.issuer), whose tenant the settings do not allow. "
                + "Use the authority of an allowed tenant, or allow this one."
        )
    }

    /// Checks the issuer of a token (the metadata of its own version name it), before any key is fetched.
    ///
    /// - Throws: `.missingClaim`, `.invalidTenant`, `.invalidIssuer`, `.keysUnavailable`.
    func issuer(of claims: [String: JSONValue]) async throws(MSALTokenRejection) -> TrustedIssuer {
        guard let name = claims["iss"]?.string else { throw MSALTokenRejection(.missingClaim) }
        let version: Version
        let keys: IssuerKeys
        let tenant = claims["tid"]?.string
        if let version1 {
            guard let told = claims["ver"]?.string.flatMap(Version.init), claims["tid"] != nil else {
                throw MSALTokenRejection(.missingClaim)
            }
            version = told
            keys = told == .version1 ? version1 : version2
        } else {
            (version, keys) = (.version2, version2)
        }
        guard claims["tid"] == nil || tenant?.isTenantID == true else { throw MSALTokenRejection(.invalidTenant) }
        // The metadata name the issuer exactly. Before they are known, an impossible issuer must not cause a request.
        guard keys.knownMetadata != nil || isPossible(issuer: name) else { throw MSALTokenRejection(.invalidIssuer) }
        let metadata = try await keys.metadata()
        guard metadata.names(name, tenant: tenant) else { throw MSALTokenRejection(.invalidIssuer) }
        return TrustedIssuer(name: name, tenant: tenant, version: version, metadata: metadata, keys: keys)
    }

    /// Whether tokens of this authority can have the issuer. The metadata decide.
    func isPossible(issuer: String) -> Bool {
        URL(string: issuer, encodingInvalidCharacters: false).flatMap(AuthorityAddress.init)
            .map(authority.mayIssueTokens(from:)) ?? false
    }
}

/// The issuer of a token, which its metadata name.
struct TrustedIssuer: Sendable {
    let name: String
    let tenant: String?
    let version: APIRules.Version
    let metadata: OpenIDConfiguration
    let keys: IssuerKeys

    /// Whether a key may speak for this issuer. All tenants share a document of keys, in which some are for personal accounts
    /// or another cloud only (Microsoft's page "Access tokens in the Microsoft identity platform").
    func accepts(_ key: JSONWebKey) -> Bool {
        if let issuer = key.issuer, !issuer.replacing("{tenantid}", with: tenant ?? "{tenantid}").isExactly(name) {
            return false
        }
        if let cloud = key.cloudInstanceName, let own = metadata.cloudInstanceName, cloud != own { return false }
        return true
    }
}

// MARK: - The audience

extension APIRules {
    /// The accepted values of `aud`.
    func audiences(of version: Version) -> Set<String> { version == .version1 ? version1Audiences : audiences }

    /// Checks that the token is for this API: `aud` is one text, or a list of one.
    ///
    /// - Throws: `.invalidAudience`.
    func checkAudience(_ claims: [String: JSONValue], version: Version) throws(MSALTokenRejection) {
        let audience: String?
        switch claims["aud"] {
        case .string(let text): audience = text
        case .array(let values) where values.count == 1: audience = values[0].string
        default: audience = nil
        }
        // A token of B2C always says version 1.0, which is not true there.
        guard let audience, audiences(of: version).containsExactly(audience) else {
            throw MSALTokenRejection(.invalidAudience)
        }
    }
}
