// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase

/// The console's pages for sign-ins, users, and tokens.
extension ControlConsole {
    // MARK: Sign-ins

    /// Shows the latest sign-ins, each with the reason if it was refused, and the policies with their results.
    func showSignIns(_ query: FormValues) -> Response {
        let decisions = parts.signIns.elements
        let found = decisions.reversed().lazy.filter { decision in
            Self.matches(query["q"], "\(decision.user) \(decision.application) \(decision.api) \(decision.reason)")
        }
        let rows = found.prefix(Self.shown).map { decision -> [String: Any] in
            let outcomes = decision.outcomes.map { outcome in
                "\(outcome.policy): \(outcome.isSatisfied ? "satisfied" : "not satisfied")"
                    + (outcome.mode == .reportOnly ? " (report only)" : "")
            }
            let number = decision.number.map { "AADSTS\($0): " } ?? ""
            return [
                "user": decision.user.isEmpty ? "the agent itself" : decision.user, "address": decision.address ?? "",
                "app": parts.directory.application(decision.application)?.displayName ?? decision.application,
                "api": parts.directory.api(audience: decision.api)?.displayName ?? decision.api,
                "refused": decision.number != nil,
                "result": JournalText.shortened(number + decision.reason, to: Self.shownBytes),
                "policies": outcomes.isEmpty ? "none" : outcomes.joined(separator: "; "),
                "date": Exchange.serviceTime(decision.date),
            ]
        }
        let outcomes = decisions.flatMap(\.outcomes)
        let policies = parts.directory.description.policies.map { policy in
            [
                "name": policy.name, "path": policy.id.percentEncoded(), "mode": policy.mode.rawValue,
                "grant": policy.grant.map(\.rawValue).joined(separator: policy.anyOf ? " or " : ", "),
                "users": policy.users.isEmpty ? "all users" : policy.users.joined(separator: ", "),
                "apps": policy.apps.isEmpty ? "all apps and APIs" : policy.apps.joined(separator: ", "),
                "held": String(outcomes.count { $0.policy == policy.name && $0.isSatisfied }),
                "failed": String(outcomes.count { $0.policy == policy.name && !$0.isSatisfied }),
            ]
        }
        return page(
            "consolesignins",
            title: "Sign-ins",
            values: [
                "decisions": Array(rows), "hasDecisions": !rows.isEmpty, "q": query["q"] ?? "", "policies": policies,
                "hasPolicies": !policies.isEmpty,
            ]
        )
    }

    // MARK: People

    /// A change of a user, with a button for it.
    private enum Change: String, CaseIterable {
        case disable, enable, lock, unlock, expirePassword, renewPassword, requireSecondFactor, spareSecondFactor
        case endSignIns

        var label: String {
            switch self {
            case .disable: "Disable"
            case .enable: "Enable"
            case .lock: "Lock"
            case .unlock: "Unlock"
            case .expirePassword: "Expire the password"
            case .renewPassword: "Undo password expiry"
            case .requireSecondFactor: "Require a second factor"
            case .spareSecondFactor: "Stop requiring a second factor"
            case .endSignIns: "End sign-ins"
            }
        }

        /// The changes that apply to the user's current state.
        static func applicable(to user: User) -> [Change] {
            [
                user.isEnabled ? .disable : .enable, user.isLocked ? .unlock : .lock,
                user.passwordState == .current ? .expirePassword : .renewPassword,
                user.requiresSecondFactor ? .spareSecondFactor : .requireSecondFactor, .endSignIns,
            ]
        }

        func apply(to user: inout EmulatorDirectory.User) {
            switch self {
            case .disable: user.isEnabled = false
            case .enable: user.isEnabled = true
            case .lock, .unlock:
                let isLocked = self == .lock
                if user.customer == nil { user.isLocked = isLocked } else { user.customer?.isLocked = isLocked }
            case .expirePassword, .renewPassword:
                let state: CustomerProfile.PasswordState = self == .expirePassword ? .expired : .current
                if user.customer == nil { user.passwordState = state } else { user.customer?.passwordState = state }
            case .requireSecondFactor, .spareSecondFactor:
                let isRequired = self == .requireSecondFactor
                if user.customer == nil {
                    user.requiresSecondFactor = isRequired
                } else {
                    user.customer?.requiresSecondFactor = isRequired
                }
            case .endSignIns: return
            }
        }
    }

    /// Shows a page of users sorted by name, each with buttons for the changes.
    func showPeople(_ query: FormValues) throws -> Response {
        let accounts = try parts.store.users(after: query["after"] ?? "", matching: query["q"], limit: Self.shown + 1)
        let rows = accounts.prefix(Self.shown).map { user -> [String: Any] in
            var states = [user.isEnabled ? "enabled" : "disabled"]
            if user.isLocked { states.append("locked") }
            switch user.passwordState {
            case .current: break
            case .expired: states.append("password expired")
            case .mustChange: states.append("password must be changed")
            }
            if user.requiresSecondFactor { states.append("second factor required") }
            if user.isAdministrator { states.append("administrator") }
            return [
                "id": user.id, "name": user.displayName, "user": user.userPrincipalName,
                "state": states.joined(separator: ", "),
                "changes": Change.applicable(to: user).map { ["value": $0.rawValue, "label": $0.label] },
            ]
        }
        var values: [String: Any] = ["people": rows, "hasPeople": !rows.isEmpty, "q": query["q"] ?? ""]
        if query["done"] == "entry" { values["notice"] = Self.notice(query) }
        if query["done"] == "person" { values["notice"] = ["The user was changed."] }
        if accounts.count > Self.shown {
            let next = [("after", accounts[Self.shown - 1].userPrincipalName)] + (query["q"].map { [("q", $0)] } ?? [])
            values["next"] = FormValues.encode(next)
        }
        return page("consolepeople", title: "People", values: values)
    }

    /// Makes the change that the form names.
    ///
    /// - Returns: `false` if the form does not name a change and an existing user.
    func changePerson(_ form: FormValues) async throws -> Bool {
        guard let change = form["change"].flatMap(Change.init), let id = form["user"],
            var user = try parts.editor.user(id)
        else { return false }
        if change == .endSignIns {
            return try await parts.store.endSignIns(of: user.userPrincipalName, at: parts.clock.now)
        }
        change.apply(to: &user)
        try parts.editor.replace(user)
        return true
    }

    // MARK: Tokens

    /// Decodes the token in a submitted form and shows it.
    func showToken(_ form: FormValues) async throws -> Response {
        let api = form["api"].flatMap { parts.directory.api(audience: $0) }
        let text = Secret((form["token"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines))
        return showToken(of: try await DecodedToken(text, for: api, in: parts))
    }

    /// Shows the form, with the decoded token if there is one.
    func showToken(of token: DecodedToken?) -> Response {
        var values: [String: Any] = [
            "apis": parts.directory.apis.map { ["id": $0.audience, "name": $0.displayName] }
        ]
        if let token {
            values["verdict"] = [
                "sentence": token.reasons.isEmpty ? "The API accepts it" : "The API rejects it",
                "reasons": token.reasons, "hasReasons": !token.reasons.isEmpty,
                "members": token.members.map { ["name": $0.name, "value": $0.value] },
            ]
        }
        return page("consoletoken", title: "Token", values: values)
    }

    func page(_ name: String, title: String, values: [String: Any]) -> Response {
        let common: [String: Any] = ["wide": true, "csrf": formToken.exposed]
        return parts.pages.page(name, title: title, values: common.merging(values) { $1 })
    }
}
