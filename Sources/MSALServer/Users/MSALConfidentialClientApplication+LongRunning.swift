// Licensed under the MIT License. See LICENSE.

import Foundation
package import MSALBase
import MSALCore

extension MSALConfidentialClientApplication {
    /// Ends a long-running session and deletes its tokens. An unknown session counts as ended.
    ///
    /// Issued tokens stay valid until they expire.
    ///
    /// - Throws: `.cacheUnavailable` if the shared store could not be reached. The session is nevertheless removed from
    ///   the memory of this process. Retry in a moment.
    public func endLongRunning(_ session: MSALSessionKey) async throws(MSALTokenError) {
        try await environment.logged { () async throws(MSALTokenError) in
            try await longRunning.remove(sessionKey(session))
        }
    }

    /// Begins a session with the token that came in.
    @concurrent package func longRunningStart(
        onBehalfOf incoming: IncomingToken,
        scopes: [String],
        session: MSALSessionKey? = nil
    ) async throws(MSALTokenError) -> MSALLongRunningStart {
        let session = session ?? MSALSessionKey(random: environment.random)
        let token = try await environment.observed(.longRunning) { [self] () throws(MSALTokenError) in
            try await environment.logged { () async throws(MSALTokenError) in
                try await begin(session, onBehalfOf: incoming, scopes: scopes)
            }
        }
        return MSALLongRunningStart(token: token, session: session)
    }

    private func begin(
        _ session: MSALSessionKey,
        onBehalfOf incoming: IncomingToken,
        scopes: [String]
    ) async throws(MSALTokenError) -> MSALTokenResult {
        let tenant = try OnBehalfOfRequest.tenant(requested: nil, own: ownRealm ?? incoming.tenant, of: authority)
        let scopes = try OnBehalfOfRequest.scopes(scopes, clientID: configuration.clientId, authority: authority)
        try OnBehalfOfRequest.check(incoming, at: environment.time.wholeSeconds)
        let (token, refreshToken) = try await redeem(incoming, scopes: scopes, tenant: tenant)
        guard !Task.isCancelled else { throw .cancellation }
        let isKept = await longRunning.begin(
            sessionKey(session),
            of: token.user ?? TokenUser(homeAccountID: "", claims: [:]),
            token: token,
            for: UserTokenCache.Query(realm: tenant, scopes: scopes),
            refreshToken: refreshToken
        )
        guard isKept else {
            Log.warning("A caller tried to start a long-running session with the key of another user's session.")
            throw .noSession
        }
        try Self.check(scopes.declined(grantedBy: ScopeSet(token.scopes)), of: token)
        return MSALTokenResult(token, source: .service, reason: .noCachedToken)
    }

    /// A token in a session: from the memory, or with the session's refresh token.
    ///
    /// `owner` is the user who makes the request, if any.
    nonisolated(nonsending) package func token(
        inLongRunning session: MSALSessionKey,
        of owner: SessionOwner?,
        scopes: [String]
    ) async throws(MSALTokenError) -> MSALTokenResult {
        let key = sessionKey(session)
        let now = environment.time.wholeSeconds
        if let user = sessions.checkedUser(key, at: now) {
            let call = try await call(in: key, begunBy: user, of: owner, scopes: scopes)
            if let held = sessions.token(of: key, for: call.query, at: now) {
                environment.instruments.countHit(.longRunning, isRefreshDue: held.isRefreshDue(at: now))
                refresh(behind: held, for: call)
                return MSALTokenResult(held, source: .cache)
            }
        }
        return try await environment.observed(.longRunning) { [self] () throws(MSALTokenError) in
            let requested = UserTokenCache.Query(realm: ownRealm ?? "", scopes: ScopeSet(scopes))
            let (user, snapshot) = try await longRunning.user(of: key, for: requested)
            let call = try await call(in: key, begunBy: user, of: owner, scopes: scopes)
            // The store may have brought the token together with the user. If it does not respond, it is not called
            // again.
            let held = sessions.token(of: key, for: call.query, anyAge: true, at: environment.time.wholeSeconds)
            let fetched: FetchedToken
            if let held {
                if let snapshot, let shared = longRunning.shared {
                    longRunning.restore(key, for: call.query, over: snapshot, in: shared)
                }
                fetched = FetchedToken(held, from: .cache)
            } else {
                fetched = try await renewal(for: call, freshness: .usable)
            }
            if fetched.source == .cache { refresh(behind: fetched.token, for: call) }
            return MSALTokenResult(fetched, reason: .noCachedToken)
        }
    }

    /// A call in the session of a user.
    ///
    /// - Throws: `.sessionNotFound` if it is not the session of the owner.
    private nonisolated(nonsending) func call(
        in key: UserTokenCache.Key,
        begunBy user: TokenUser,
        of owner: SessionOwner?,
        scopes: [String]
    ) async throws(MSALTokenError) -> UserCall {
        guard owner?.isUser(user) ?? true else {
            await environment.logged(as: nil) {
                Log.warning("A user named the key of another user's long-running session.")
            }
            throw .noSession
        }
        let tenant = try OnBehalfOfRequest.tenant(requested: nil, own: ownRealm ?? user.text("tid"), of: authority)
        let scopes = try OnBehalfOfRequest.scopes(scopes, clientID: configuration.clientId, authority: authority)
        let query = UserTokenCache.Query(realm: tenant, scopes: scopes)
        return UserCall(key: key, query: query, scopes: scopes, sessionTenant: tenant)
    }

    private var sessions: UserTokenCache { configuration.cache.sessions }

    /// The sessions in the memory, and in the store that instances share.
    var longRunning: TieredUserTokenCache {
        TieredUserTokenCache(
            memory: sessions,
            shared: shared(.longRunning),
            environment: environment,
            missing: { .noSession },
            exhausted: {
                MSALTokenError(
                    .interactionRequired,
                    message: "The session no longer has a refresh token. Start a new one with a token of the user."
                )
            },
            forgetsDeletedUsers: false
        )
    }

    /// The key of a session in the memory. It contains the client, so the sessions of another client have other keys.
    private func sessionKey(_ session: MSALSessionKey) -> UserTokenCache.Key {
        UserTokenCache.Key(client: partition, homeAccountID: TokenDigest(of: session.secret).text)
    }

    @concurrent func renewed(
        _ known: UserTokenCache.Renewable,
        spending spent: Secret,
        for call: UserCall,
        tenant: String
    ) async throws(MSALTokenError) -> TieredUserTokenCache.Redeemed {
        let correlationID = UUID.random()
        let response = try await redeem(
            refreshToken: spent,
            throttledBy: sessions.throttling,
            as: call.query.throttlingKey(of: call.key),
            scopes: call.scopes,
            tenant: tenant,
            options: call.options,
            correlationID: correlationID
        )
        let token = try accept(
            response,
            of: known.user,
            scopes: call.scopes,
            tenant: tenant,
            correlationID: correlationID
        )
        var redeemed = TieredUserTokenCache.Redeemed(token: token, successor: response.refreshToken, failure: nil)
        do throws(MSALTokenError) {
            try Self.check(call.scopes.declined(grantedBy: ScopeSet(token.scopes)), of: token)
        } catch {
            redeemed.failure = error
        }
        return redeemed
    }
}

/// The user who requests a token in a long-running session.
package struct SessionOwner: Sendable {
    private let tenant: String
    private let objectID: String?

    package init(tenant: String, objectID: String?) {
        self.tenant = tenant
        self.objectID = objectID
    }

    /// Whether the session is this user's. A user without an object ID has none.
    fileprivate func isUser(_ user: TokenUser) -> Bool {
        objectID?.isSameID(as: user.text("oid")) == true && tenant.isSameID(as: user.text("tid"))
    }
}

extension MSALTokenError {
    fileprivate static var noSession: MSALTokenError {
        MSALTokenError(
            .sessionNotFound,
            message: "No long-running session of this user and application has this key. It was ended, was not used "
                + "for long, or the process was restarted. Start a new one with a token of the user."
        )
    }
}

/// The key of a long-running session, in which work continues for a user whose token has expired.
///
/// It is a secret: anyone who has it can get tokens of the user. Store it with the work, for instance in the row of a
/// job, where only the service can read it. Its description does not contain it.
public struct MSALSessionKey: Sendable, Hashable, CustomStringConvertible, ServerRedactedReflection {
    package let secret: Secret

    /// Creates a key from text that the application chose.
    ///
    /// The text must be unguessable: the ID of an order or of a user is not sufficient.
    ///
    /// - Parameter text: 16 to 1024 bytes.
    /// - Throws: `.configuration` for a shorter or longer text.
    public init(_ text: String) throws(MSALTokenError) {
        guard Self.lengths.contains(text.utf8.count) else {
            throw MSALTokenError(
                .configuration,
                message:
                    "A session key has \(Self.lengths.lowerBound) to \(Self.lengths.upperBound) bytes, and must be "
                    + "unguessable. Omit it, and the library generates one."
            )
        }
        secret = Secret(text)
    }

    /// A key of 256 random bits.
    package init(random: (Int) -> [UInt8]) { secret = Secret(Base64URL.encode(random(32))) }

    /// The key as text, for storage. It is a secret.
    public var text: String { secret.exposed }

    /// A description without the key.
    public var description: String { "MSALSessionKey(\(secret))" }

    private static let lengths = 16...1024
}

/// The result of starting a long-running session.
public struct MSALLongRunningStart: Sendable {
    /// The first token of the session.
    public let token: MSALTokenResult
    /// The key of the session. It is a secret.
    public let session: MSALSessionKey
}
