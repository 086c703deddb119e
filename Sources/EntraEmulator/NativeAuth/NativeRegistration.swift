// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase

/// `/register/v1.0/introspect`, `challenge`, and `continue`: registration of a strong method on demand.
struct NativeRegistration: Sendable {
    let store: EmulatorStore
    let directory: ServedDirectory
    let continuations: NativeContinuations

    /// Lists the channels in which a method can be registered.
    func introspect(_ request: NativeRequest) async throws -> Response {
        let continuation = try continuations.find(request, at: [.registrationNeeded])
        let methods = request.policy.registrationChannels.map { channel -> JSONValue in
            var method: [String: JSONValue] = [
                "id": .string(channel.rawValue), "challenge_type": "oob",
                "challenge_channel": .string(channel.rawValue),
            ]
            if channel == .email { method["login_hint"] = .string(StrongMethod.masked(continuation.flow.userName)) }
            return .object(method)
        }
        let token = try continuations.advance(continuation, to: .registrationListed, for: request)
        return try .native(token, members: ["methods": .array(methods)])
    }

    /// Sends a code to the contact, unless the service knows that it belongs to the user.
    func challenge(_ request: NativeRequest) async throws -> Response {
        var continuation = try continuations.find(request, at: [.registrationListed, .registrationSent])
        guard request["challenge_type"] == "oob" else { throw EntraError.invalidChallengeType }
        guard let target = request["challenge_target"]?.trimmingCharacters(in: .whitespaces) else {
            throw EntraError.invalidContact
        }
        let channel = request["challenge_channel"].map { StrongMethod.Channel(rawValue: $0.lowercased()) } ?? .email
        guard let channel, request.policy.registrationChannels.contains(channel),
            StrongMethod.isPlausible(target, for: channel)
        else { throw EntraError.invalidContact }
        guard !directory.isBlockedContact(target) else { throw EntraError.blockedContact }

        continuation.flow.registration = StrongMethod(
            id: UUID().uuidString.lowercased(),
            channel: channel,
            address: target
        )
        if channel == .email, target.lowercased() == continuation.flow.userName.lowercased() {
            continuation.flow.code = nil
            let token = try continuations.advance(continuation, to: .registrationPreverified, for: request)
            return try .native(token, members: ["challenge_type": "preverified"])
        }
        return try continuations.sendCode(
            .registration,
            to: target,
            by: channel,
            in: continuation,
            at: .registrationSent,
            for: request
        )
    }

    /// Checks the code, or continues with a contact that needs none, and stores the method.
    func proceed(_ request: NativeRequest) async throws -> Response {
        let step: NativeAuthFlow.Step
        switch request["grant_type"] {
        case "oob": step = .registrationSent
        case "continuation_token": step = .registrationPreverified
        case nil: throw EntraError.invalidParameter("grant_type")
        default: throw EntraError.unusableGrantType
        }
        var continuation = try continuations.find(request, at: [step])
        if step == .registrationSent { try continuations.checkCode(continuation, for: request) }
        guard var user = try await store.user(id: continuation.flow.userID ?? ""),
            let method = continuation.flow.registration
        else { throw EntraError.unknownUser }
        continuation.flow.code = nil
        continuation.flow.registration = nil
        // The verified contact counts as a second factor.
        continuation.flow.hasSecondFactor = true
        let token = try continuations.advance(continuation, to: .finished, for: request)
        var profile = user.customer ?? CustomerProfile()
        profile.strongMethods.append(method)
        user.customer = profile
        try await store.save(user)
        return try .native(token)
    }
}
