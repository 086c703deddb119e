// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// The grants of native authentication: a password, a one-time code, or a completed flow.
struct NativeGrant: Sendable {
    /// The native values of `grant_type`.
    enum GrantType: String, Sendable {
        case password, oob
        case secondFactor = "mfa_oob"
        case continuation = "continuation_token"

        /// `nil` for other grants.
        init?(_ exchange: Exchange) {
            guard let text = exchange.form.last("grant_type"), let type = GrantType(rawValue: text) else { return nil }
            self = type
        }
    }

    /// The result of a grant; a missing second factor or registration is thrown as an error.
    enum Outcome: Sendable {
        case tokens(GrantOutcome)
        /// The app does not support what is required.
        case redirect(reason: String)
    }

    let store: EmulatorStore
    let directory: ServedDirectory
    let consents: Consents
    let policies: AccessPolicies
    let passwords: PasswordCheck
    let continuations: NativeContinuations

    /// Checks the proof of the app and decides which tokens it gets.
    func redeem(_ grantType: GrantType, for request: NativeRequest) async throws -> Outcome {
        var continuation = try continuations.findAtSignIn(request, at: Self.steps(for: grantType))
        if let name = request["username"], name.lowercased() != continuation.flow.userName.lowercased() {
            throw continuations.invalidContinuation
        }
        guard let user = try await store.user(id: continuation.flow.userID ?? "") else { throw EntraError.unknownUser }
        if user.isLocked { throw EntraError.lockedUser }
        switch grantType {
        case .password: try checkPassword(of: user, for: request)
        case .oob, .secondFactor:
            try continuations.checkCode(continuation, for: request)
            if continuation.step == .secondFactorSent { continuation.flow.hasSecondFactor = true }
        case .continuation: break
        }
        guard user.isEnabled else { throw EntraError.disabledUser }
        let scopes = try await scopes(for: request, by: user)
        let decision = policies.decide(
            AccessRequest(
                request.exchange,
                of: user,
                in: request.tenant,
                client: request.client,
                audience: scopes.audience,
                contexts: []
            ),
            proof: AccessProof(authenticatedAt: request.now, hasSecondFactor: continuation.flow.hasSecondFactor)
        )
        if case .missing(let need) = decision { return try supply(need, in: continuation, for: request) }
        try continuations.end(continuation)
        return .tokens(
            .init(
                entitlement: Entitlement(
                    native: user,
                    client: request.client,
                    scopes: scopes,
                    claims: request["claims"],
                    hasSecondFactor: continuation.flow.hasSecondFactor,
                    now: request.now
                ),
                scopes: scopes,
                isSignIn: true
            )
        )
    }

    private static func steps(for grantType: GrantType) -> Set<NativeAuthFlow.Step> {
        switch grantType {
        case .password: [.passwordAsked]
        // The documentation uses `oob` for the second factor, too.
        case .oob: [.codeSent, .secondFactorSent]
        case .secondFactor: [.secondFactorSent]
        case .continuation: [.finished]
        }
    }

    // MARK: Password

    private func checkPassword(of user: User, for request: NativeRequest) throws(EntraError) {
        guard let password = request["password"] else { throw .invalidParameter("password") }
        if let problem = passwords.problem(of: user, typing: Secret(password), at: request.now) { throw problem }
    }

    // MARK: Scopes

    /// The scopes that the app requests, if they were consented to.
    private func scopes(for request: NativeRequest, by user: User) async throws -> RequestedScopes {
        let scopes = try RequestedScopes(native: request["scope"], in: directory)
        return try await consents.checked(scopes, by: user, to: request.client, in: request.tenant)
    }

    // MARK: Second factor and registration

    /// Requests what is missing. Only a second factor can be provided without a page.
    private func supply(
        _ need: AccessRequirement,
        in continuation: NativeAuthFlowStore<NativeAuthFlow>.Continuation,
        for request: NativeRequest
    ) throws -> Outcome {
        switch need.kind {
        case .secondFactor: try demand(.secondFactor, in: continuation, for: request)
        case .registration: try demand(.registration, in: continuation, for: request)
        case .blocked, .assignment: throw need.error
        case .managedDevice, .recentSignIn, .newPassword, .termsOfUse: .redirect(reason: need.error.message)
        }
    }

    private func demand(
        _ capability: NativeAuthFlow.Capability,
        in continuation: NativeAuthFlowStore<NativeAuthFlow>.Continuation,
        for request: NativeRequest
    ) throws -> Outcome {
        guard continuation.flow.capabilities.contains(capability) else {
            return .redirect(reason: "Client is missing \(capability.rawValue) capability")
        }
        var continuation = continuation
        continuation.flow.code = nil
        let isSecondFactor = capability == .secondFactor
        let token = try continuations.advance(
            continuation,
            to: isSecondFactor ? .secondFactorNeeded : .registrationNeeded,
            for: request
        )
        let error = isSecondFactor ? EntraError.secondFactorRequired : .registrationRequired
        throw error.with(["continuation_token": .string(token.exposed)])
    }
}

extension RequestedScopes {
    /// The scopes of a native authentication request, where all invalid scopes have the same error number.
    init(native text: String?, in directory: ServedDirectory) throws(EntraError) {
        let text = text ?? "openid profile offline_access"
        do {
            self = try Self.parse(text, in: directory).ofSingleAPI(in: text)
        } catch {
            throw .invalidScope(text)
        }
    }
}

extension Entitlement {
    /// The entitlement of a customer's app after native authentication. `claims` is the parameter of that name.
    init(
        native user: User,
        client: AppRegistration,
        scopes: RequestedScopes,
        claims: String?,
        hasSecondFactor: Bool,
        now: Date
    ) {
        self.init(
            family: UUID().uuidString.lowercased(),
            userID: user.id,
            tenantID: user.homeTenantID,
            clientID: client.clientID,
            scopes: scopes,
            authenticatedAt: now,
            capabilities: RequestedClaims.capabilities(ifAnyIn: claims)
        )
        self.hasSecondFactor = hasSecondFactor
        isNative = true
    }
}
