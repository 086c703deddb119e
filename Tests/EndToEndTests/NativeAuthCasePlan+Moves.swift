// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation

@testable import MSAL
@testable import MSALBase

extension NativeAuthCasePlan {
    /// The move of a scene. Values that have a meaning only at the case's fictitious service are replaced with
    /// equivalents here: codes, the scopes of its APIs, attributes, passwords that violate a rule.
    func move(_ scene: NativeAuthCaseStory.Scene, at emulator: Emulator) -> NativeAuthMove? {
        switch scene.method {
        case "signIn" where scene.arguments["username"] == nil: return .signInAfterwards
        case "signIn":
            return .signIn(
                scene.text("username"),
                password: scene.arguments["password"]?.string,
                scopes: scopes(scene)
            )
        case "signUp":
            return .signUp(
                scene.text("username"),
                password: scene.arguments["password"].map { _ in password(scene) },
                attributes: scene.arguments["attributes"].map { _ in attributes(scene) }
            )
        case "resetPassword": return .resetPassword(scene.text("username"))
        case "submitCode": return .typedCode(code(scene, typed: scene.text("code"), at: emulator))
        case "submitChallenge": return .typedCode(code(scene, typed: scene.text("challenge"), at: emulator))
        case "resendCode": return .resendCode
        case "submitPassword": return .password(password(scene))
        case "submitAttributes": return .attributes(attributes(scene))
        case "requestChallenge": return .choose(methodIndex(scene))
        case "challengeAuthMethod": return .register(methodIndex(scene), contact: contact(scene))
        case "getAccessToken":
            // Claims are another reason to send a request to the service.
            let isForced = scene.arguments["forceRefresh"] == .bool(true) || scene.arguments["claims"] != nil
            return .accessToken(scopes(scene), forceRefresh: isForced)
        case "signOut": return .signOut
        case "getNativeAuthUserAccount": return .lookUpAccount
        default: return nil
        }
    }

    private func code(_ scene: NativeAuthCaseStory.Scene, typed: String, at emulator: Emulator) -> String {
        if typed.isEmpty { return typed }
        let isWrong = scene.answers.contains { $0.suberror == "invalid_oob_value" }
        return isWrong ? "wrong" : emulator.outbox.last?.code ?? typed
    }

    private func methodIndex(_ scene: NativeAuthCaseStory.Scene) -> Int {
        scene.arguments["methodIndex"]?.double.flatMap(Int.init(exactly:)) ?? 0
    }

    private func contact(_ scene: NativeAuthCaseStory.Scene) -> String {
        let isBlocked = scene.answers.contains { $0.suberror == "provider_blocked_by_rep" }
        return isBlocked ? "somebody@\(Seed().blockedContacts.domain)" : scene.text("verificationContact")
    }

    private func password(_ scene: NativeAuthCaseStory.Scene) -> String {
        switch scene.answers.lazy.compactMap(\.suberror).first {
        case "password_too_short": "x"
        case "password_too_long": String(repeating: "Aa1!", count: 65)
        case "password_is_invalid": "Grüße-2026"
        case "password_banned": "Fabrikam-2026"
        case "password_too_weak": "alllowercase"
        default: scene.text("password")
        }
    }

    private func attributes(_ scene: NativeAuthCaseStory.Scene) -> [String: String] {
        let isRefused = scene.answers.contains { $0.suberror == "attribute_validation_failed" }
        return ["displayName": "Lee", "postalCode": isRefused ? "x" : "12345"]
    }

    /// The case's first API is the seed's first, the second its second. Error responses have separate APIs.
    private func scopes(_ scene: NativeAuthCaseStory.Scene) -> [String] {
        let seed = Seed()
        let asked = (scene.arguments["scopes"]?.array ?? []).compactMap(\.string)
        let numbers = scene.answers.flatMap(\.codes)
        if numbers.contains(70_011) { return asked }
        if numbers.contains(65_001) { return [seed.payrollScope] }
        if numbers.contains(50_076), scene.method == "getAccessToken" { return [seed.vaultScope] }
        return asked.map { scope in
            guard let slash = scope.lastIndex(of: "/") else { return scope }
            let isFirst = scope.lowercased().hasPrefix("api://aaaa")
            let name = scope[scope.index(after: slash)...].lowercased()
            let permission = name.hasSuffix("readwrite") ? "ToDoList.ReadWrite" : "ToDoList.Read"
            return "\(isFirst ? seed.apiIdentifier : seed.secondAPIIdentifier)/\(permission)"
        }
    }
}
