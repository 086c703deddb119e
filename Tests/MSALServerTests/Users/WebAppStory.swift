// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALServer
import Synchronization
import TestSupport

/// A web application in a test, its service, and its clock.
struct WebAppStory {
    let service: SignInService
    let time: ManualTime
    let application: MSALConfidentialClientApplication

    init(
        _ service: SignInService = SignInService(),
        authority: MSALServerAuthority = .tenant(SignInService.tenant),
        cache: MSALTokenCache = MSALTokenCache(),
        time: ManualTime = ManualTime(skipsSleeps: true),
        seed: UInt8 = 0,
        configure: (inout MSALConfidentialClientConfiguration) throws -> Void = { _ in }
    ) throws {
        self.service = service
        self.time = time
        var configuration = MSALConfidentialClientConfiguration(
            clientId: SignInService.clientID,
            authority: authority,
            credential: .secret("s~ecret")
        )
        configuration.redirectUri = "https://app.contoso.example/signin"
        configuration.postLogoutRedirectUri = "https://app.contoso.example/signed-out"
        configuration.cache = cache
        try configure(&configuration)
        var environment = ServerEnvironment.double(time: time, transport: service)
        // Each value differs from the previous ones.
        let number = Mutex(seed)
        environment.random = { count in
            let byte = number.withLock { number in
                number &+= 1
                return number
            }
            return (0..<count).map { byte &+ UInt8(truncatingIfNeeded: $0 &* $0) }
        }
        application = try MSALConfidentialClientApplication(configuration: configuration, environment: environment)
    }

    func begin(
        _ scopes: [String] = ["User.Read"],
        _ change: (inout MSALWebSignInParameters) -> Void = { _ in }
    ) async throws -> MSALWebSignInRequest {
        var parameters = MSALWebSignInParameters(scopes: scopes)
        change(&parameters)
        return try await application.authorizationRequest(parameters)
    }

    /// The form that the service posts, with the request's state. `changes` replaces members. A nil removes one.
    func response(
        to request: MSALWebSignInRequest,
        _ changes: [String: String?] = [:]
    ) throws -> MSALWebSignInResponse {
        var form = FormBody()
        let members: [String: String?] = ["code": "0.abc", "state": request.secrets.state.exposed]
        for (name, value) in members.merging(changes, uniquingKeysWith: { $1 }) { form.set(name, to: value) }
        return try MSALWebSignInResponse(formBody: form.data)
    }

    /// Signs Megan in, with the response of the token endpoint that `changes` describes.
    @discardableResult
    func signIn(
        _ scopes: [String] = ["User.Read"],
        access: String = "at-1",
        refresh: String? = "rt-1",
        scope: String = "User.Read openid profile",
        changes: [String: JSONValue] = [:],
        claims: [String: JSONValue] = [:],
        algorithm: String = "ES256",
        breaksSignature: Bool = false
    ) async throws -> MSALTokenResult {
        let request = try await begin(scopes)
        let idToken = try service.idToken(
            nonce: request.secrets.nonce.exposed,
            at: time.now,
            changes: claims,
            algorithm: algorithm,
            breaksSignature: breaksSignature
        )
        service.append(
            SignInService.tokens(access: access, refresh: refresh, scope: scope, idToken: idToken, changes: changes)
        )
        return try await application.acquireToken(try response(to: request), for: request)
    }

    func silent(
        _ scopes: [String] = ["User.Read"],
        _ change: (inout MSALTokenOptions) -> Void = { _ in }
    ) async throws(MSALTokenError) -> MSALTokenResult {
        var options = MSALTokenOptions()
        change(&options)
        return try await application.acquireTokenSilent(
            homeAccountIdentifier: SignInService.homeAccountID,
            scopes: scopes,
            options: options
        )
    }
}

/// The error of type `MSALTokenError` that a body throws, whatever else it may throw.
nonisolated(nonsending) func tokenFailure(of body: () async throws -> Void) async throws -> MSALTokenError? {
    do {
        try await body()
        return nil
    } catch let error as MSALTokenError {
        return error
    }
}
