// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

/// A sign-in with a code that the user types in a browser elsewhere.
package struct DeviceCodeRequest: Sendable {
    package var token: TokenRequest
    /// The time the user has; `nil` leaves it to the service.
    package var timeout: Duration?
    /// Receives everything that happens, on any thread.
    package var report: @Sendable (DeviceCodeEvent) -> Void
}

/// Signs users in with a code that they type in a browser elsewhere (RFC 8628).
package struct DeviceCodeFlow: Sendable {
    let app: ClientConfiguration.App
    let authorityRules: ClientConfiguration.AuthorityRules
    let authorities: AuthorityResolver
    let redeemer: Redeemer
    let proofs: RequestSigner
    let session: CurrentSession
    let time: any TimeSource

    /// Signs a user in with a device code (RFC 8628; docs/reference/SignInModeRules.md#device-code).
    ///
    /// - Throws: `.canceled` if the user declined, the app canceled, or the request's own time limit passed;
    ///   `.tokenRefused` with `expired_token` if the code expired, and with the service's message if it offers no codes
    ///   to this app; `.unexpected` if the authority has no device codes; else as a redemption.
    package func acquire(_ request: DeviceCodeRequest) async throws(AuthError) -> TokenResult {
        do {
            return try await proofs.proven(request.token) { token throws(AuthError) in
                var request = request
                request.token = token
                let prepared = request
                return try await session.run { () async throws(AuthError) in
                    try await signIn(prepared)
                }
            }
        } catch {
            throw error.correlated(request.token.correlationID)
        }
    }

    /// Checks a request before the service is asked.
    ///
    /// - Throws: `.invalidParameter`; correct the request.
    /// - Returns: The authority of the request.
    @discardableResult
    func check(_ request: DeviceCodeRequest) throws(AuthError) -> Authority {
        try authorityRules.check(request.token, clientID: app.clientID)
    }

    /// Signs a user in within a session that is open already. The request has the key of its proof.
    func signIn(_ request: DeviceCodeRequest) async throws(AuthError) -> TokenResult {
        let authority = try check(request)
        let resolved = try await authorities.resolve(
            authority,
            by: authorityRules,
            correlationID: request.token.correlationID
        )
        let codes = try await deviceAuthorization(request.token, at: resolved)
        let begun = time.uptime
        request.report(.code(codes, expiresOn: time.now + codes.lifetime.seconds))

        let redemption = RedemptionContext(
            request: request.token,
            requestAuthority: authority,
            authority: resolved.authority,
            resolved: resolved,
            // A device code has no authorization request that could carry a nonce.
            idTokenCheck: .full(nonce: nil),
            source: .deviceCode
        )
        let limit = min(request.timeout ?? codes.lifetime, codes.lifetime)
        var pace = DeviceCodePollSchedule(interval: codes.interval)
        while true {
            let left = limit - (time.uptime - begun)
            let pause = pace.pause(left: left)
            try await wait(for: pause ?? max(left, .zero))
            // The machine may have slept for longer. Its calendar may have been changed, so the uptime is used.
            guard pause != nil, time.uptime - begun < limit else {
                throw limit < codes.lifetime ? .deviceCodeTimedOut : .deviceCodeExpired
            }
            let response: TokenResponse
            do throws(AuthError) {
                response = try await redeemer.send(DeviceCodeGrant(deviceCode: codes.deviceCode), for: redemption)
            } catch {
                switch pace.next(after: error, now: time.now) {
                case .retry(nil): request.report(.waiting(pause: pace.pause))
                case .retry(let failure?): request.report(.unreachable(failure, pause: pace.pause))
                case .end(let failure): throw failure.namingProtectedAccount(nil)
                }
                continue
            }
            return try await redeemer.acceptCheckingScopes(response, for: redemption)
        }
    }

    /// Asks for the codes (RFC 8628 §3.1).
    private func deviceAuthorization(
        _ request: TokenRequest,
        at resolved: ResolvedAuthority
    ) async throws(AuthError) -> DeviceAuthorization {
        guard let url = resolved.deviceAuthorizationEndpoint else {
            var error = AuthError(
                .unexpected,
                message: "This authority offers no device codes. Sign in with a browser."
            )
            error.allowsNextMode = true
            throw error
        }
        var form = FormBody()
        form.set(.clientID, to: app.clientID)
        form.set(.scope, to: request.scopes.union(.openID).text)
        form.set(.claims, to: ClaimsRequest.merged(capabilities: app.capabilities, claims: request.claims)?.text)
        var message = redeemer.message(
            form,
            to: url,
            for: request,
            source: .deviceCode,
            report: redeemer.telemetry.last()
        )
        message.name = "The device code endpoint"
        do throws(AuthError) {
            return try DeviceAuthorization(members: try await members(for: message))
        } catch {
            var error = error
            switch error.kind {
            // The tenant or the app's registration may forbid it, or the service does not offer what its metadata name.
            case .tokenRefused, .http, .invalidResponse: error.allowsNextMode = true
            case .invalidParameter, .unexpected, .invalidRedirectURI, .redirectSchemeNotRegistered,
                .interactionRequired, .authorizationRefused, .declinedScopes, .protectionPolicyRequired, .canceled,
                .sessionAlreadyRunning, .invalidState, .authorityValidationFailed, .transport, .ambiguousAccount,
                .accountRequired, .deviceNotRegistered, .mismatchedUser, .broker, .store:
                break
            }
            throw error
        }
    }

    private func members(for message: TokenEndpoint.Request) async throws(AuthError) -> [String: JSONValue] {
        do throws(TokenEndpoint.Failure) {
            return try await redeemer.endpoint.members(for: message).members
        } catch {
            throw AuthError(error)
        }
    }

    private func wait(for duration: Duration) async throws(AuthError) {
        do {
            try await time.sleep(for: duration)
        } catch {
            throw AuthError(.canceled, message: "The sign-in was canceled by the program.")
        }
    }
}

/// Asks whether the user has signed in with the code (RFC 8628 §3.4).
struct DeviceCodeGrant: TokenGrant {
    let deviceCode: Secret

    let grantType = "urn:ietf:params:oauth:grant-type:device_code"
    /// The caller polls at the interval that the service requests.
    let repetition = HTTPMessage.Repetition.never

    var parameters: FormBody {
        var form = FormBody()
        form.set(.deviceCode, to: deviceCode.exposed)
        return form
    }
}

extension AuthError {
    fileprivate static let deviceCodeTimedOut = AuthError(
        .canceled,
        message: "The user did not sign in with the code in time. Try again."
    )

    /// The error of an expired code. It is the same as the service's, so an app needs one case for both.
    fileprivate static var deviceCodeExpired: AuthError {
        let words = "The device code expired before the user signed in. Request another one."
        return AuthError(.tokenRefused(OAuthError(error: "expired_token", description: words)), message: words)
    }
}
