// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase

/// `/signup/v1.0/start`, `challenge`, and `continue`.
struct NativeSignUp: Sendable {
    let store: EmulatorStore
    let continuations: NativeContinuations

    private var settings: NativeAuthSettings { continuations.settings }

    /// Starts a sign-up.
    func start(_ request: NativeRequest) async throws -> Response {
        let types = try request.challengeTypes(settings: settings)
        guard let name = request["username"], StrongMethod.isEmailAddress(name) else {
            throw EntraError.invalidParameter("username")
        }
        guard try await store.user(named: name) == nil else { throw EntraError.customerExists }
        // The address is always verified with a code.
        let wantsPassword = request.policy.signUpCredential == .password
        guard types.contains(.oob) else { return try .nativeRedirect("Client is missing oob challenge type") }
        guard !wantsPassword || types.contains(.password) else {
            return try .nativeRedirect("Client is missing password challenge type")
        }
        var draft = NativeAuthFlow.Draft()
        draft.attributes = try attributes(request)
        if wantsPassword, let password = request["password"].map({ Secret($0) }) {
            try check(password, userName: name, for: request)
            draft.password = password
        }
        return try .native(
            continuations.begin(.signUp, for: request, userName: name, user: nil, challengeTypes: types, draft: draft)
        )
    }

    /// Sends a code to the new address or, once that is verified, requests a password.
    func challenge(_ request: NativeRequest) throws -> Response {
        let announced = request["challenge_type"] == nil ? nil : try request.challengeTypes(settings: settings)
        let continuation = try continuations.find(
            request,
            at: [.started, .codeSent, .credentialNeeded],
            purposes: [.signUp],
            error: "invalid_grant"
        )
        let types = announced ?? continuation.flow.challengeTypes
        if continuation.step == .credentialNeeded {
            guard types.contains(.password) else {
                return try .nativeRedirect("Client is missing password challenge type")
            }
            let token = try continuations.advance(continuation, to: .passwordAsked, for: request)
            return try .native(token, members: ["challenge_type": "password"])
        }
        guard types.contains(.oob) else { return try .nativeRedirect("Client is missing oob challenge type") }
        let address = continuation.flow.userName
        return try continuations.sendCode(
            .signUp,
            to: address,
            by: .email,
            in: continuation,
            at: .codeSent,
            for: request
        )
    }

    /// Accepts a code, a password, or attributes.
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
        var continuation = try continuations.find(request, at: [.codeSent], purposes: [.signUp])
        try continuations.checkCode(continuation, for: request)
        continuation.flow.code = nil
        continuation.flow.draft.isAddressVerified = true
        return try await complete(continuation, for: request)
    }

    private func proceed(withPassword request: NativeRequest) async throws -> Response {
        var continuation = try continuations.find(request, at: [.passwordAsked], purposes: [.signUp])
        guard let password = request["password"].map({ Secret($0) }) else {
            throw EntraError.invalidParameter("password")
        }
        try check(password, userName: continuation.flow.userName, for: request)
        continuation.flow.draft.password = password
        return try await complete(continuation, for: request)
    }

    private func proceed(withAttributes request: NativeRequest) async throws -> Response {
        var continuation = try continuations.find(request, at: [.started, .attributesNeeded], purposes: [.signUp])
        guard request["attributes"] != nil else { throw EntraError.invalidParameter("attributes") }
        let attributes = try attributes(request)
        continuation.flow.draft.attributes.merge(attributes) { _, new in new }
        guard continuation.flow.draft.isAddressVerified else {
            let token = try continuations.advance(continuation, to: .started, for: request)
            throw EntraError.verificationRequired.with(["continuation_token": .string(token.exposed)])
        }
        return try await complete(continuation, for: request)
    }

    /// Requests what is still missing, starting with the credential, or creates the account.
    private func complete(
        _ continuation: NativeAuthFlowStore<NativeAuthFlow>.Continuation,
        for request: NativeRequest
    ) async throws -> Response {
        var continuation = continuation
        let draft = continuation.flow.draft
        if request.policy.signUpCredential == .password, draft.password == nil {
            let token = try continuations.advance(continuation, to: .credentialNeeded, for: request)
            throw EntraError.credentialRequired.with(["continuation_token": .string(token.exposed)])
        }
        let missing = request.policy.attributes.filter { $0.isRequired && draft.attributes[$0.name] == nil }
        guard missing.isEmpty else {
            let token = try continuations.advance(continuation, to: .attributesNeeded, for: request)
            throw EntraError.attributesRequired(number: settings.attributesRequiredNumber).with([
                "continuation_token": .string(token.exposed), "required_attributes": .array(missing.map(\.json)),
            ])
        }
        guard try await store.user(named: continuation.flow.userName) == nil else { throw EntraError.customerExists }
        let user = User(signingUpAs: continuation.flow.userName, draft: draft, tenant: request.tenant)
        continuation.flow.userID = user.id
        // Advance first: of two requests with the same token, only one creates an account.
        let token = try continuations.advance(continuation, to: .finished, for: request)
        try await store.save(user)
        return try .native(token, members: ["expires_in": .int(settings.continuationLifetime.wholeSeconds)])
    }

    // MARK: Checks

    private func check(_ password: Secret, userName: String, for request: NativeRequest) throws(EntraError) {
        let violation = PasswordPolicy.violation(of: password, userName: userName, tenant: request.tenant, user: nil)
        if let violation { throw .badPassword(violation) }
    }

    /// The attributes of the request that are part of the user flow. Each value must satisfy its rule.
    private func attributes(_ request: NativeRequest) throws(EntraError) -> [String: String] {
        guard let text = request["attributes"] else { return [:] }
        // All invalid texts get the same response.
        guard let value = JSONValue(parsing: Data(text.utf8)),
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
    /// A string, number, or Boolean value as text.
    var plainText: String? {
        switch self {
        case .string(let value): value
        case .integer(let value): String(value)
        case .bool(let value): String(value)
        case .null, .number, .array, .object: nil
        }
    }
}

extension User {
    /// The account of a new customer.
    init(signingUpAs name: String, draft: NativeAuthFlow.Draft, tenant: Tenant) {
        let attributes = draft.attributes
        self.init(
            id: UUID().uuidString.lowercased(),
            homeTenantID: tenant.id,
            userPrincipalName: name.lowercased(),
            givenName: attributes["givenName"] ?? "",
            surname: attributes["surname"] ?? "",
            // A user without a password gets a random one that is never revealed.
            password: draft.password ?? .random()
        )
        let names = [givenName, surname].filter { !$0.isEmpty }.joined(separator: " ")
        let fallback = names.isEmpty ? String(name.prefix { $0 != "@" }) : names
        displayName = attributes["displayName"] ?? fallback
        jobTitle = attributes["jobTitle"]
        customer = CustomerProfile(credential: draft.password == nil ? .emailCode : .password, attributes: attributes)
    }
}
