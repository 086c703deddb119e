// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import TestSupport
import Testing

@testable import MSALServer

/// A lookup of `app-cache.json`: which of the stored tokens a call finds.
struct AppCacheQuery {
    private let members: CaseMembers
    private let cache = MSALTokenCache()
    private let time = ManualTime(skipsSleeps: true)

    init(_ members: CaseMembers) {
        self.members = members
    }

    /// Stores a token of the case. Its times are relative to the query's.
    func keep(_ entry: CaseMembers) throws {
        let now = time.wholeSeconds
        func text(_ name: String) throws -> String { try #require(entry[name]?.string) }
        let token = CachedAccessToken(
            accessToken: Secret(try text("secret")),
            binding: .init(type: entry["tokenType"]?.string ?? "Bearer", keyID: entry["keyId"]?.string),
            life: .init(
                until: now + Int64(try #require(entry["expiresIn"]?.int)),
                extendedExpiresAt: entry["extendedExpiresIn"]?.int.map { now + Int64($0) }
            ),
            scopes: ScopeSet(parsing: try text("target")).values,
            tenant: try text("realm")
        )
        let key = key(
            environment: try text("environment"),
            clientID: try text("clientId"),
            realm: try text("realm"),
            target: try text("target"),
            of: entry
        )
        if let partition = entry["oboKey"]?.string {
            return keep(token, in: partition, as: key, scopes: ScopeSet(parsing: key.target).values)
        }
        guard let homeAccountID = entry["homeAccountId"]?.string else {
            return cache.appTokens.store(token, for: key, at: now)
        }
        cache.userTokens.signIn(
            TokenUser(homeAccountID: homeAccountID, claims: [:]),
            as: UserTokenCache.Key(client: key.partition, homeAccountID: homeAccountID),
            token: token,
            for: UserTokenCache.Query(realm: key.realm, scopes: ScopeSet([key.target])),
            refreshToken: nil,
            at: now
        )
    }

    /// Stores a token for the incoming token whose partition has this name.
    private func keep(_ token: CachedAccessToken, in partition: String, as key: AccessTokenKey, scopes: [String]) {
        let own = incoming.flatMap { CachePartitionName.onBehalfOf($0.assertion) == partition ? $0.digest : nil }
        cache.onBehalfOfTokens.store(
            token,
            for: OnBehalfOfCache.Key(
                client: key.partition,
                assertion: own ?? TokenDigest(of: Secret("the token behind \(partition)")),
                realm: key.realm,
                components: CacheKeyComponents.hash(of: members.named("components"))
            ),
            scopes: scopes,
            until: .max,
            at: time.wholeSeconds
        )
    }

    /// The incoming token of the call.
    private var incoming: IncomingToken? { members["userAssertion"]?.string.map { IncomingToken(Secret($0)) } }

    /// The text of the cached token that the call returns.
    func found() async throws -> String? {
        func text(_ name: String) throws -> String { try #require(members[name]?.string) }
        let scopes = members.texts("scopes")
        let (keyID, tokenType) = (members["keyId"], members["tokenType"]?.string ?? "Bearer")
        guard keyID == nil, tokenType == "Bearer" else {
            // A call for a bound token needs a certificate, of which the case has only the thumbprint.
            let key = key(
                environment: try text("environment"),
                clientID: try text("clientId"),
                realm: try text("tenant"),
                target: scopes.joined(separator: " "),
                of: members
            )
            let token = cache.appTokens.token(for: key, at: time.wholeSeconds)
            return token.flatMap { $0.isUsable(at: time.wholeSeconds) ? $0.accessToken.exposed : nil }
        }
        var configuration = MSALConfidentialClientConfiguration(
            clientId: try text("clientId"),
            authority: .tenant(try text("tenant"), host: try text("environment")),
            credential: .secret("s~ecret")
        )
        configuration.cache = cache
        configuration.region = members["region"]?.string.map(MSALRegion.named) ?? .none
        configuration.capabilities = members.texts("capabilities")
        configuration.allowsExtendedLifetime = members["extendedLifetime"] == .bool(true)
        let word = members["server"]?.string ?? "ok"
        let status = word == "ok" ? 200 : Int64(word)
        let transport = ScriptedTransport()
        let token = #"{"access_token":"new","token_type":"Bearer","expires_in":3600}"#
        transport.append(try CaseAnswer(status.map { .object(["status": .integer($0)]) } ?? .string(word), body: token))
        let application = try MSALConfidentialClientApplication(
            configuration: configuration,
            environment: .double(
                time: time,
                transport: transport
            )
        )
        var options = MSALTokenOptions()
        options.claims = members["claims"]?.string
        let components = members.named("components")
        options.fmiPath = components["fmi_path"]
        options.clientClaims = components["client_claims"]
        options.extraBodyParameters = components.filter { !["fmi_path", "client_claims"].contains($0.key) }
        do {
            let result =
                if let incoming {
                    try await application.token(onBehalfOf: incoming, scopes: scopes, options: options)
                } else {
                    try await application.acquireTokenForClient(scopes: scopes, options: options)
                }
            return result.source == .service ? nil : result.accessToken
        } catch {
            #expect(error.kind == .serviceUnavailable)
            return nil
        }
    }

    private func key(
        environment: String,
        clientID: String,
        realm: String,
        target: String,
        of members: CaseMembers
    ) -> AccessTokenKey {
        AccessTokenKey(
            partition: cache.appTokens.partition(
                environment: KnownClouds.metadata(for: environment)?.cacheHost ?? environment,
                clientID: clientID
            ),
            realm: realm,
            target: target,
            keyID: members["keyId"]?.string,
            components: CacheKeyComponents.hash(
                of: members.named("components")
            )
        )
    }
}
