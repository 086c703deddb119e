// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// The grants of native authentication: a password, a one-time code, or a finished journey.
struct NativeGrant: Sendable {
    /// The values of `grant_type` that are native.
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
        /// The app cannot show what is needed.
        case redirect(reason: String)
    }

    let store: EmulatorStore
    let directory: ServedDirectory
    let consents: Consents
    let policies: AccessPolicies
    let failures: FailedSignIns
    let continuations: NativeContinuations

    private var settings: NativeAuthSettings { continuations.settings }

    /// Checks what the app presents and decides what it gets.
    func redeem(_ grantType: GrantType, for request: NativeRequest) async throws -> Outcome {
        var continuation = try continuations.findAtSignIn(request, at: Self.steps(for: grantType))
        if let name = request["username"], name.lowercased() != continuation.journey.userName.lowercased() {
            throw EntraError.invalidContinuation(number: settings.invalidContinuationNumber)
        }
        guard let user = try await store.user(id: continuation.journey.userID ?? "") else {
            throw EntraError.unknownUser
        }
        if user.isLocked { throw EntraError.lockedUser }
        switch grantType {
        case .password: try checkPassword(of: user, for: request)
        case .oob, .secondFactor:
            try continuations.checkCode(continuation, for: request)
            if continuation.step == .secondFactorSent { continuation.journey.hasSecondFactor = true }
        case .continuation: break
        }
        guard user.isEnabled else { throw EntraError.disabledUser }
        let scopes = try await scopes(for: request, by: user)
        let decision = policies.decide(
            AccessRequest(
                user: user,
                tenant: request.tenant,
                client: request.client,
                audience: scopes.audience,
                address: request.exchange.clientAddress,
                now: request.now
            ),
            proof: AccessProof(
                authenticatedAt: request.now,
                hasSecondFactor: continuation.journey.hasSecondFactor
            )
        )
        if case .missing(let need) = decision { return try supply(need, in: continuation, for: request) }
        try continuations.end(continuation)
        return .tokens(
            .init(
                entitlement: entitlement(of: user, in: continuation.journey, scopes: scopes, for: request),
                scopes: scopes
            )
        )
    }

    private static func steps(for grantType: GrantType) -> Set<NativeJourney.Step> {
        switch grantType {
        case .password: [.passwordAsked]
        // The documentation uses `oob` for the second factor too.
        case .oob: [.codeSent, .secondFactorSent]
        case .secondFactor: [.secondFactorSent]
        case .continuation: [.finished]
        }
    }

    // MARK: Password

    private func checkPassword(of user: User, for request: NativeRequest) throws(EntraError) {
        guard let password = request["password"] else { throw .invalidParameter("password") }
        let failures = failures
        if failures.isLocked(user.id, at: request.now) { throw .lockedUser }
        guard user.accepts(Secret(password)) else {
            failures.record(user.id, at: request.now)
            throw .wrongPassword
        }
        failures.forget(user.id)
        switch user.passwordState {
        case .current: return
        case .expired: throw .passwordExpired
        case .mustChange: throw .passwordChangeRequired
        }
    }

    // MARK: Scopes

    /// The scopes that the app asks for, once somebody has consented to them.
    private func scopes(for request: NativeRequest, by user: User) async throws -> RequestedScopes {
        let text = request["scope"] ?? "openid profile offline_access"
        let scopes: RequestedScopes
        do {
            scopes = try RequestedScopes.parse(text, in: directory)
        } catch {
            // Here every kind of bad scope has the same number.
            throw EntraError.invalidScope(text)
        }
        return try await consents.checked(scopes, by: user, to: request.client, in: request.tenant)
    }

    // MARK: Second factor and registration

    /// Asks for what is missing. Only a second factor can be given without a page.
    private func supply(
        _ need: AccessNeed,
        in continuation: NativeJourneys<NativeJourney>.Continuation,
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
        _ capability: NativeJourney.Capability,
        in continuation: NativeJourneys<NativeJourney>.Continuation,
        for request: NativeRequest
    ) throws -> Outcome {
        guard continuation.journey.capabilities.contains(capability) else {
            return .redirect(reason: "Client is missing \(capability.rawValue) capability")
        }
        var continuation = continuation
        continuation.journey.code = nil
        let isSecondFactor = capability == .secondFactor
        let token = try continuations.advance(
            continuation,
            to: isSecondFactor ? .secondFactorNeeded : .registrationNeeded,
            for: request
        )
        let error = isSecondFactor ? EntraError.secondFactorRequired : .registrationRequired
        throw error.with(["continuation_token": .string(token.exposed)])
    }

    private func entitlement(
        of user: User,
        in journey: NativeJourney,
        scopes: RequestedScopes,
        for request: NativeRequest
    ) -> Entitlement {
        var entitlement = Entitlement(
            family: UUID().uuidString.lowercased(),
            userID: user.id,
            tenantID: request.tenant.id,
            clientID: request.client.clientID,
            scopes: scopes,
            authenticatedAt: request.now,
            capabilities: RequestedClaims.capabilities(ifAnyIn: request["claims"]),
            isSinglePage: false
        )
        entitlement.hasSecondFactor = journey.hasSecondFactor
        entitlement.isNative = true
        return entitlement
    }
}
