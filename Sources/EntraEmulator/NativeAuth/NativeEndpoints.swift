// Licensed under the MIT License. See LICENSE.

import Hummingbird

/// The paths of native authentication below a tenant; the token endpoint is shared with the web flows.
enum NativeEndpoint: String, Sendable, CaseIterable {
    case initiate = "oauth2/v2.0/initiate"
    case challenge = "oauth2/v2.0/challenge"
    case introspect = "oauth2/v2.0/introspect"
    case signUpStart = "signup/v1.0/start"
    case signUpChallenge = "signup/v1.0/challenge"
    case signUpContinue = "signup/v1.0/continue"
    case resetStart = "resetpassword/v1.0/start"
    case resetChallenge = "resetpassword/v1.0/challenge"
    case resetContinue = "resetpassword/v1.0/continue"
    case resetSubmit = "resetpassword/v1.0/submit"
    case resetPoll = "resetpassword/v1.0/poll_completion"
    case registerIntrospect = "register/v1.0/introspect"
    case registerChallenge = "register/v1.0/challenge"
    case registerContinue = "register/v1.0/continue"
}

/// The endpoints of native authentication.
struct NativeEndpoints: Sendable {
    let directory: ServedDirectory
    let signIn: NativeSignIn
    let signUp: NativeSignUp
    let reset: NativePasswordReset
    let registration: NativeRegistration

    /// Responds to a request.
    ///
    /// - Throws: `EntraError`, rendered as JSON.
    func respond(
        to exchange: Exchange,
        at endpoint: NativeEndpoint,
        tenant segment: TenantSegment
    ) async throws -> Response {
        guard case .tenant(let tenant) = try directory.selector(for: segment) else {
            throw EntraError.unknownTenant(segment.tenant)
        }
        let request = try NativeRequest(exchange, tenant: tenant, directory: directory)
        return switch endpoint {
        case .initiate: try await signIn.initiate(request)
        case .challenge: try await signIn.challenge(request)
        case .introspect: try await signIn.introspect(request)
        case .signUpStart: try await signUp.start(request)
        case .signUpChallenge: try signUp.challenge(request)
        case .signUpContinue: try await signUp.proceed(request)
        case .resetStart: try await reset.start(request)
        case .resetChallenge: try reset.challenge(request)
        case .resetContinue: try reset.proceed(request)
        case .resetSubmit: try await reset.submit(request)
        case .resetPoll: try await reset.poll(request)
        case .registerIntrospect: try await registration.introspect(request)
        case .registerChallenge: try await registration.challenge(request)
        case .registerContinue: try await registration.proceed(request)
        }
    }
}
