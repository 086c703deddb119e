// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation

@testable import MSAL
@testable import MSALBase

/// How the emulator is made to respond as a case requires.
///
/// Only the calls and responses of a case are used: users are added with the names of the case and with the properties
/// in its responses, and before each request the platform is changed as the next response requires.
struct NativeAuthCasePlan: Sendable {
    /// What happens on the platform just before a request arrives.
    enum Preparation: Sendable {
        /// Nothing: the platform responds this way by itself.
        case none
        case change(@Sendable (Emulator) async throws -> Void)
        /// The response is set verbatim, as a fault.
        case verbatim
        /// No server can do that.
        case impossible(String)
    }

    let story: NativeAuthCaseStory
    let preparations: [Preparation]

    init(_ story: NativeAuthCaseStory) {
        self.story = story
        preparations = story.answers.indices.map { Self.preparation(at: $0, story) }
    }

    /// The reason that the case cannot be replayed, if any.
    var obstacle: String? {
        if story.isAboutTheDelegate { return "is about a delegate that lacks members" }
        for case .impossible(let reason) in preparations { return reason }
        return nil
    }

    /// Whether every response is the platform's own.
    var isGenuine: Bool {
        !preparations.contains { if case .verbatim = $0 { true } else { false } }
    }

    // MARK: Before the story

    /// The app's registration whose policy matches the responses.
    var clientID: String {
        let seed = Seed()
        let codes = story.answers.flatMap(\.codes)
        if codes.contains(700_016) { return "99999999-9999-4999-8999-999999999999" }
        if codes.contains(9_999_001) { return seed.browserOnlyClientID }
        let isClientRefused = story.answers.contains { $0.body.contains("client_id parameter") }
        if isClientRefused { return "nobody" }
        guard story.flow == "signUp" || story.scenes.first?.method == "signUp" else { return seed.clientID }
        let mentions = story.answers.contains { $0.body.contains("_attributes") }
        if mentions || story.scenes.contains(where: { $0.arguments["attributes"] != nil }) {
            return seed.attributesClientID
        }
        let wantsPassword = story.answers.contains { $0.error == "credential_required" }
        let hasPassword = story.scenes.first?.arguments["password"] != nil
        return wantsPassword || hasPassword ? seed.clientID : seed.codeClientID
    }

    /// Lifetimes and counts in the responses.
    func adjust(_ configuration: inout EmulatorConfiguration) {
        configuration.nativeAuth.unfinishedPolls = story.answers.count { $0.json?["status"]?.string == "in_progress" }
        let tokens = story.answers.first { $0.json?["access_token"] != nil }
        if let lifetime = tokens?.json?["expires_in"]?.double { configuration.accessTokenLifetime = .seconds(lifetime) }
    }

    /// Adds the users who exist at the start of the story.
    func populate(_ emulator: Emulator) async throws {
        let isAbsent = story.answers.contains { $0.error == "user_not_found" }
        let isNew =
            story.scenes.first?.method == "signUp" && !story.answers.contains { $0.error == "user_already_exists" }
        guard !isAbsent, !isNew else { return }
        let signsInWithCode =
            story.answers.contains { $0.codes.contains(500_222) }
            || Self.firstChallenge(story).map { $0.challengeType == "oob" } ?? false
        for name in Set(story.scenes.map { $0.text("username") }) where name.contains("@") {
            try await emulator.addCustomer(
                name,
                password: signsInWithCode ? nil : password(of: name),
                profile: CustomerProfile(credential: signsInWithCode ? .emailCode : .password)
            )
        }
    }

    /// The password that the case considers correct.
    private func password(of name: String) -> String {
        // A password submitted in a reset is the next one.
        if story.scenes.contains(where: { $0.method == "resetPassword" }) { return "An0ther-secret!" }
        let right = story.scenes.last { scene in
            ["signIn", "submitPassword"].contains(scene.method) && !scene.text("password").isEmpty
                && !scene.answers.contains { $0.codes.contains(50_126) }
        }
        let own = story.scenes.last { $0.text("username") == name && !$0.text("password").isEmpty }
        let isWrong = own?.answers.contains { $0.codes.contains(50_126) } ?? true
        return (isWrong ? right : own)?.text("password") ?? "An0ther-secret!"
    }

    private static func firstChallenge(_ story: NativeAuthCaseStory) -> NativeAuthCaseStory.Answer? {
        story.answers.first { $0.path == "/oauth2/v2.0/challenge" }
    }

    // MARK: Before a request

    private static func preparation(at index: Int, _ story: NativeAuthCaseStory) -> Preparation {
        let answer = story.answers[index]
        switch answer.networkError {
        case "connectionLost":
            return .change { $0.enqueueFault(Fault(pathSuffix: answer.path, dropsConnection: true)) }
        case .some: return .impossible("is about a network that no server can imitate")
        case nil: break
        }
        guard let json = answer.json, answer.status == 200 || (answer.status == 400 && answer.error != nil) else {
            return .verbatim
        }
        let name = story.scenes.first?.text("username") ?? ""
        let isSecondFactor = story.answers[..<index].contains { $0.suberror == "mfa_required" }
        if answer.error != nil {
            return refusal(answer, json: json, name: name, isSecondFactor: isSecondFactor, at: index, of: story)
        }
        return success(answer, json: json, name: name, isSecondFactor: isSecondFactor, at: index, of: story)
    }

    private static func refusal(
        _ answer: NativeAuthCaseStory.Answer,
        json: [String: MSALBase.JSONValue],
        name: String,
        isSecondFactor: Bool,
        at index: Int,
        of story: NativeAuthCaseStory
    ) -> Preparation {
        switch (answer.error, answer.suberror) {
        case ("expired_token", _): return .change { await $0.advanceClock(by: .seconds(601)) }
        case (_, "mfa_required"):
            guard json["continuation_token"] != nil else { return .verbatim }
            return secondFactor(name, methods: methods(after: index, of: story))
        case (_, "registration_required"): return secondFactor(name, methods: [])
        case (_, "provider_blocked_by_rep") where answer.path == "/oauth2/v2.0/challenge":
            guard isSecondFactor else { return .verbatim }
            return .change { emulator in
                try await emulator.changeCustomer(name) { profile in
                    for method in profile.strongMethods.indices { profile.strongMethods[method].isBlocked = true }
                }
            }
        // A new user has no earlier password.
        case (_, "password_recently_used") where story.scenes.first?.method == "signUp": return .verbatim
        case ("attributes_required", _): return json["required_attributes"] == nil ? .verbatim : .none
        default: break
        }
        switch answer.codes.first {
        case 50_034 where answer.error == "invalid_grant": return .change { try await $0.removeUser(name) }
        case 50_053: return .change { try await $0.changeCustomer(name) { $0.isLocked = true } }
        case 50_142: return .change { try await $0.changeCustomer(name) { $0.passwordState = .mustChange } }
        case 50_076:
            return .change { emulator in
                try await emulator.changeCustomer(name) {
                    $0.strongMethods = [.init(id: "1", channel: .email, address: "second@fabrikam.example")]
                }
            }
        case 701_014: return .verbatim
        default: return .none
        }
    }

    private static func success(
        _ answer: NativeAuthCaseStory.Answer,
        json: [String: MSALBase.JSONValue],
        name: String,
        isSecondFactor: Bool,
        at index: Int,
        of story: NativeAuthCaseStory
    ) -> Preparation {
        let isSignUp = answer.path.hasPrefix("/signup/")
        switch answer.challengeType {
        case "redirect":
            if answer.isSecondFactorOrCapability {
                return secondFactor(
                    name,
                    methods: answer.reason.contains("mfa") ? methods(after: index, of: story) : []
                )
            }
            let starts = ["/oauth2/v2.0/initiate", "/oauth2/v2.0/challenge", "/resetpassword/v1.0/start"]
            guard starts.contains(answer.path), !isSecondFactor else { return .verbatim }
            return .change { try await $0.changeCustomer(name) { $0.credential = .socialAccount } }
        case "oob":
            let hasLabel = json["challenge_target_label"] != nil || json["challenge_target"] != nil
            return hasLabel ? .none : .verbatim
        case "password":
            // Before the address is verified the service has no reason to require a password.
            return isSignUp && !story.answers.contains { $0.error == "credential_required" } ? .verbatim : .none
        case "preverified": return .none
        case .some: return .verbatim
        case nil: break
        }
        if answer.path.hasSuffix("/challenge") || json.isEmpty || json["methods"] == .array([]) { return .verbatim }
        switch json["status"]?.string {
        case nil, "succeeded": return .none
        case "in_progress":
            let ends = story.answers.contains { ["succeeded", "failed"].contains($0.json?["status"]?.string) }
            return ends ? .none : .change { try await $0.changeCustomer(name) { $0.resetOutcome = .neverEnds } }
        case "failed": return .change { try await $0.changeCustomer(name) { $0.resetOutcome = .fails } }
        default: return .verbatim
        }
    }

    private static func secondFactor(_ name: String, methods: [StrongMethod]) -> Preparation {
        .change { emulator in
            try await emulator.changeCustomer(name) { profile in
                profile.requiresSecondFactor = true
                profile.strongMethods = methods
            }
        }
    }

    /// The methods that the next introspection lists.
    private static func methods(after index: Int, of story: NativeAuthCaseStory) -> [StrongMethod] {
        let listed = story.answers[index...].lazy.compactMap { $0.json?["methods"]?.array }.first ?? []
        let methods = listed.compactMap(\.object).map { method in
            let isSMS = method["challenge_channel"]?.string == "sms"
            return StrongMethod(
                id: method["id"]?.string ?? "",
                channel: isSMS ? .sms : .email,
                address: isSMS ? "+15550142" : "second@customer.example"
            )
        }
        return methods.isEmpty ? [StrongMethod(id: "0", channel: .email, address: "second@customer.example")] : methods
    }
}
