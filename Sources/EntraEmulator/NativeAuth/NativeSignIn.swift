// Licensed under the MIT License. See LICENSE.

import Hummingbird
import MSALBase

/// `/oauth2/v2.0/initiate`, `challenge`, and `introspect`.
struct NativeSignIn: Sendable {
    let store: EmulatorStore
    let continuations: NativeContinuations

    private var settings: NativeAuthSettings { continuations.settings }

    /// Starts a sign-in.
    func initiate(_ request: NativeRequest) async throws -> Response {
        let types = try request.challengeTypes(settings: settings)
        guard let name = request["username"] else { throw EntraError.invalidParameter("username") }
        guard let user = try await store.customer(named: name, in: request.tenant) else {
            throw EntraError.customerNotFound
        }
        guard firstChallenge(for: user, among: types) != nil else { return try .nativeRedirect(missing(user)) }
        return try .native(
            continuations.begin(.signIn, for: request, userName: name, user: user, challengeTypes: types)
        )
    }

    /// Requests the password, or sends a code, for the first or the second factor.
    func challenge(_ request: NativeRequest) async throws -> Response {
        let announced = request["challenge_type"] == nil ? nil : try request.challengeTypes(settings: settings)
        let continuation = try continuations.findAtSignIn(
            request,
            at: [.started, .codeSent, .passwordAsked, .secondFactorNeeded, .methodsListed, .secondFactorSent],
            error: "invalid_grant"
        )
        guard let user = try await store.user(id: continuation.flow.userID ?? "") else { throw EntraError.unknownUser }
        switch continuation.step {
        case .secondFactorNeeded, .methodsListed, .secondFactorSent:
            return try challengeSecondFactor(of: user, in: continuation, for: request)
        case .started, .codeSent, .passwordAsked, .credentialNeeded, .attributesNeeded, .resetAllowed,
            .resetSubmitted, .registrationNeeded, .registrationListed, .registrationSent, .registrationPreverified,
            .finished:
            return try challengeFirstFactor(of: user, in: continuation, announced: announced, for: request)
        }
    }

    /// Lists the user's methods for a second factor.
    func introspect(_ request: NativeRequest) async throws -> Response {
        let continuation = try continuations.findAtSignIn(request, at: [.secondFactorNeeded])
        let user = try await store.user(id: continuation.flow.userID ?? "")
        let methods = (user?.customer?.strongMethods ?? []).map(\.json)
        let token = try continuations.advance(continuation, to: .methodsListed, for: request)
        return try .native(token, members: ["methods": .array(methods)])
    }

    // MARK: First factor

    /// The first challenge of the user, if the app supports it.
    private func firstChallenge(
        for user: User,
        among types: Set<NativeAuthFlow.ChallengeType>
    ) -> NativeAuthFlow.ChallengeType? {
        switch user.customer?.credential ?? .password {
        case .password: types.contains(.password) ? .password : nil
        case .emailCode: types.contains(.oob) ? .oob : nil
        case .socialAccount: nil
        }
    }

    /// The reason why the app cannot authenticate the user.
    private func missing(_ user: User) -> String {
        switch user.customer?.credential ?? .password {
        case .password: "Client is missing password challenge type"
        case .emailCode: "Client is missing oob challenge type"
        case .socialAccount: "The account belongs to another identity provider"
        }
    }

    private func challengeFirstFactor(
        of user: User,
        in continuation: NativeAuthFlowStore<NativeAuthFlow>.Continuation,
        announced: Set<NativeAuthFlow.ChallengeType>?,
        for request: NativeRequest
    ) throws -> Response {
        guard let type = firstChallenge(for: user, among: announced ?? continuation.flow.challengeTypes) else {
            return try .nativeRedirect(missing(user))
        }
        switch type {
        case .password:
            let token = try continuations.advance(
                continuation,
                to: .passwordAsked,
                keepsToken: continuation.step != .started,
                for: request
            )
            return try .native(token, members: ["challenge_type": "password"])
        case .oob, .redirect:
            return try continuations.sendCode(
                .signIn,
                to: user.userPrincipalName,
                by: .email,
                in: continuation,
                at: .codeSent,
                for: request
            )
        }
    }

    // MARK: Second factor

    private func challengeSecondFactor(
        of user: User,
        in continuation: NativeAuthFlowStore<NativeAuthFlow>.Continuation,
        for request: NativeRequest
    ) throws -> Response {
        let method = try secondFactor(request["id"], of: user)
        if method.isBlocked { throw EntraError.blockedContact }
        return try continuations.sendCode(
            .secondFactor,
            to: method.address,
            by: method.channel,
            in: continuation,
            at: .secondFactorSent,
            for: request
        )
    }

    private func secondFactor(_ id: String?, of user: User) throws(EntraError) -> StrongMethod {
        let methods = user.customer?.strongMethods ?? []
        if let id {
            guard let method = methods.first(where: { $0.id.lowercased() == id.lowercased() }) else {
                throw .invalidContact
            }
            return method
        }
        guard let only = methods.first, methods.count == 1 else { throw .introspectionRequired }
        return only
    }
}

extension StrongMethod {
    /// The element of `methods`.
    var json: JSONValue {
        [
            "id": .string(id), "challenge_type": "oob", "challenge_channel": .string(channel.rawValue),
            "login_hint": .string(maskedAddress),
        ]
    }
}

extension EmulatorStore {
    /// The customer of an External ID tenant with that address.
    func customer(named name: String, in tenant: Tenant) async throws -> User? {
        try await user(named: name).flatMap { $0.homeTenantID == tenant.id ? $0 : nil }
    }
}
