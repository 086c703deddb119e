// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird

/// `/signup/v1.0/start`, `challenge` and `continue`.
struct NativeSignUp: Sendable {
    let platform: Platform

    private var steps: NativeSteps { NativeSteps(platform: platform) }

    /// Learns who wants an account.
    func start(_ request: NativeRequest) async throws -> Response {
        let types = try request.challengeTypes(platform.native.settings)
        guard let name = request["username"], StrongMethod.isEmailAddress(name) else {
            throw EntraError.invalidParameter("username")
        }
        guard try await platform.store.user(named: name) == nil else { throw EntraError.customerExists }
        // The address is always verified with a code.
        let wantsPassword = request.policy.signUpCredential == .password
        guard types.contains(.oob) else { return try .nativeRedirect("Client is missing oob challenge type") }
        guard !wantsPassword || types.contains(.password) else {
            return try .nativeRedirect("Client is missing password challenge type")
        }
        var draft = NativeJourney.Draft()
        draft.attributes = try attributes(request)
        if wantsPassword, let password = request["password"].map({ Secret($0) }) {
            try check(password, userName: name, request)
            draft.password = password
        }
        return try .native(
            steps.begin(.signUp, request, userName: name, user: nil, challengeTypes: types, draft: draft)
        )
    }

    /// Sends a code to the new address or, once that is verified, asks for a password.
    func challenge(_ request: NativeRequest) throws -> Response {
        let announced = request["challenge_type"] == nil ? nil : try request.challengeTypes(platform.native.settings)
        var continuation = try steps.continuation(
            request,
            at: [.started, .codeSent, .credentialNeeded],
            flows: [.signUp],
            error: "invalid_grant"
        )
        let types = announced ?? continuation.journey.challengeTypes
        if continuation.step == .credentialNeeded {
            guard types.contains(.password) else {
                return try .nativeRedirect("Client is missing password challenge type")
            }
            let token = try steps.advance(continuation, to: .passwordAsked, request)
            return try .native(token, ["challenge_type": "password"])
        }
        guard types.contains(.oob) else { return try .nativeRedirect("Client is missing oob challenge type") }
        let address = continuation.journey.userName
        try steps.send(.signUp, to: address, .email, &continuation, request)
        let isRepeated = continuation.step == .codeSent
        let token = try steps.advance(continuation, to: .codeSent, keepsToken: isRepeated, request)
        return try steps.codeSent(token, to: address, .email)
    }

    /// Takes a code, a password or attributes.
    func proceed(_ request: NativeRequest) async throws -> Response {
        switch request["grant_type"] {
        case "oob": try await proceed(withCode: request)
        case "password": try await proceed(withPassword: request)
        case "attributes": try await proceed(withAttributes: request)
        case nil: throw EntraError.invalidParameter("grant_type")
        default: throw EntraError.unusableGrantType
        }
    }

    private func proceed(withCode request: NativeRequest) async throws -> Response {
        var continuation = try steps.continuation(request, at: [.codeSent], flows: [.signUp])
        try steps.checkCode(continuation, request)
        continuation.journey.code = nil
        continuation.journey.draft.isAddressVerified = true
        return try await complete(continuation, request)
    }

    private func proceed(withPassword request: NativeRequest) async throws -> Response {
        var continuation = try steps.continuation(request, at: [.passwordAsked], flows: [.signUp])
        guard let password = request["password"].map({ Secret($0) }) else {
            throw EntraError.invalidParameter("password")
        }
        try check(password, userName: continuation.journey.userName, request)
        continuation.journey.draft.password = password
        return try await complete(continuation, request)
    }

    private func proceed(withAttributes request: NativeRequest) async throws -> Response {
        var continuation = try steps.continuation(request, at: [.started, .attributesNeeded], flows: [.signUp])
        guard request["attributes"] != nil else { throw EntraError.invalidParameter("attributes") }
        let attributes = try attributes(request)
        continuation.journey.draft.attributes.merge(attributes) { _, new in new }
        guard continuation.journey.draft.isAddressVerified else {
            let token = try steps.advance(continuation, to: .started, request)
            throw EntraError.verificationRequired.with(["continuation_token": .string(token.revealed)])
        }
        return try await complete(continuation, request)
    }

    /// Asks for what is still missing, the credential first, or creates the account.
    private func complete(
        _ continuation: NativeJourneys.Continuation,
        _ request: NativeRequest
    ) async throws -> Response {
        var continuation = continuation
        let draft = continuation.journey.draft
        if request.policy.signUpCredential == .password, draft.password == nil {
            let token = try steps.advance(continuation, to: .credentialNeeded, request)
            throw EntraError.credentialRequired.with(["continuation_token": .string(token.revealed)])
        }
        let missing = request.policy.attributes.filter { $0.isRequired && draft.attributes[$0.name] == nil }
        guard missing.isEmpty else {
            let token = try steps.advance(continuation, to: .attributesNeeded, request)
            throw EntraError.attributesRequired(number: platform.native.settings.attributesRequiredNumber).with([
                "continuation_token": .string(token.revealed), "required_attributes": .array(missing.map(\.json)),
            ])
        }
        guard try await platform.store.user(named: continuation.journey.userName) == nil else {
            throw EntraError.customerExists
        }
        let user = customer(continuation.journey, request)
        continuation.journey.userID = user.id
        // The token first: of two requests with the same one, only one makes an account.
        let token = try steps.advance(continuation, to: .finished, request)
        try await platform.store.save(user)
        return try .native(
            token,
            ["expires_in": .int(platform.native.settings.continuationLifetime.wholeSeconds)]
        )
    }

    private func customer(_ journey: NativeJourney, _ request: NativeRequest) -> User {
        let attributes = journey.draft.attributes
        var user = User(
            id: UUID().uuidString.lowercased(),
            homeTenantID: request.tenant.id,
            userPrincipalName: journey.userName.lowercased(),
            givenName: attributes["givenName"] ?? "",
            surname: attributes["surname"] ?? "",
            // Nobody can know the password of somebody who has none.
            password: journey.draft.password ?? .random()
        )
        let names = [user.givenName, user.surname].filter { !$0.isEmpty }.joined(separator: " ")
        let fallback = names.isEmpty ? String(journey.userName.prefix { $0 != "@" }) : names
        user.displayName = attributes["displayName"] ?? fallback
        user.jobTitle = attributes["jobTitle"]
        let credential = journey.draft.password == nil ? CustomerProfile.Credential.emailCode : .password
        user.customer = CustomerProfile(credential: credential, attributes: attributes)
        return user
    }

    // MARK: Checks

    private func check(_ password: Secret, userName: String, _ request: NativeRequest) throws(EntraError) {
        let violation = PasswordPolicy.violation(of: password, userName: userName, tenant: request.tenant, user: nil)
        if let violation { throw .badPassword(violation) }
    }

    /// The attributes of the request that the user flow knows, each with a value that obeys its rule.
    private func attributes(_ request: NativeRequest) throws(EntraError) -> [String: String] {
        guard let text = request["attributes"] else { return [:] }
        // Whatever is wrong with the text, the answer is the same.
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)),
            case .object(let members) = value
        else { throw .invalidParameter("attributes") }
        var accepted: [String: String] = [:]
        var refused: [String] = []
        for rule in request.policy.attributes {
            guard let value = members[rule.name] else { continue }
            if let text = value.plainText, rule.accepts(text) {
                accepted[rule.name] = text
            } else {
                refused.append(rule.name)
            }
        }
        guard refused.isEmpty else { throw .invalidAttributes(refused) }
        return accepted
    }
}

extension JSONValue {
    /// A string, number or truth value as text.
    fileprivate var plainText: String? {
        switch self {
        case .string(let value): value
        case .int(let value): String(value)
        case .bool(let value): String(value)
        case .null, .double, .array, .object: nil
        }
    }
}
