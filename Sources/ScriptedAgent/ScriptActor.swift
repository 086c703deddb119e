// Licensed under the MIT License. See LICENSE.

package import Foundation

/// Plays the user of a script: decides what to fill in and what to press on each page.
package struct ScriptActor: Sendable {
    private let script: Script
    private var typedFields: Set<String> = []

    /// Creates an actor for a script.
    package init(script: Script) { self.script = script }

    /// The request that responds to a page, or `nil` if the page has no field or button that the script handles.
    ///
    /// - Throws: `ScriptedAgentError.refused` if a page requests the same field twice; `.missingButton` if the script
    ///   wants to cancel but the page has no button for it.
    package mutating func answer(_ page: HTMLPage, at url: URL) throws(ScriptedAgentError) -> PageRequest? {
        for form in page.forms { if let answer = try answer(form, of: page, at: url) { return answer } }
        return nil
    }

    private mutating func answer(
        _ form: HTMLForm,
        of page: HTMLPage,
        at url: URL
    ) throws(ScriptedAgentError) -> PageRequest? {
        let visible = Set(form.fields.lazy.filter { !$0.isHidden }.map(\.name))
        let point = Self.point(of: form, visible: visible)
        if let point, point == script.cancelAt {
            guard let button = first(["cancel", "back"], in: form.buttons) else { throw .missingButton("cancel", url) }
            return submit(form, pressing: button, at: url)
        }
        switch point {
        case .userName: return try typeCredentials(into: form, pressing: ["next", "signin"], of: page, at: url)
        case .password: return try typeCredentials(into: form, pressing: ["signin", "next"], of: page, at: url)
        case .code: return try typeCode(form, of: page, at: url)
        case .accountPicker: return pickAccount(form, at: url)
        case nil: break
        }
        if form.buttons.contains(where: { $0.name == "action" }) {
            return submit(form, pressing: decision(among: form.buttons), at: url)
        }
        // OAuth 2.0 Form Post Response Mode §2: the response is sent in hidden fields.
        let hidden = Set(form.fields.lazy.filter(\.isHidden).map(\.name))
        let answers: Set = ["code", "error", "state", "id_token"]
        guard form.method == .post, visible.isEmpty, !hidden.isDisjoint(with: answers) else { return nil }
        return submit(form, pressing: form.buttons.first, at: url)
    }

    /// The sign-in page of a form; `nil` for any other page.
    private static func point(of form: HTMLForm, visible: Set<String>) -> Script.CancellationPoint? {
        if visible.contains("passwd") { return .password }
        if !visible.isDisjoint(with: ["loginfmt", "login"]) { return .userName }
        if visible.contains("otc") { return .code }
        return form.buttons.contains { $0.name == "account" } ? .accountPicker : nil
    }

    /// Types the user name and the password, and presses the first of the preferred buttons that the form has.
    private mutating func typeCredentials(
        into form: HTMLForm,
        pressing wanted: [String],
        of page: HTMLPage,
        at url: URL
    ) throws(ScriptedAgentError) -> PageRequest {
        let answers = [
            "loginfmt": script.userName, "login": script.userName, "passwd": script.password.revealed,
        ]
        var filled = form
        for index in filled.fields.indices where !filled.fields[index].isHidden {
            let name = filled.fields[index].name
            guard let answer = answers[name] else { continue }
            guard typedFields.insert(name).inserted else {
                throw .refused(field: name, pageText: String(page.text.prefix(300)))
            }
            filled.fields[index].value = answer
        }
        return submit(filled, pressing: first(wanted, in: form.buttons) ?? form.buttons.first, at: url)
    }

    /// Types a code, or submits the one that is already in the field.
    private mutating func typeCode(
        _ form: HTMLForm,
        of page: HTMLPage,
        at url: URL
    ) throws(ScriptedAgentError) -> PageRequest? {
        var filled = form
        guard let index = filled.fields.firstIndex(where: { $0.name == "otc" && !$0.isHidden }) else { return nil }
        let written = filled.fields[index].value
        guard let code = script.code(page.text) ?? (written.isEmpty ? nil : written) else {
            throw .unknownCode(pageText: String(page.text.prefix(300)))
        }
        // A sign-in may request two codes, but neither of them twice.
        guard typedFields.insert("otc \(code)").inserted else {
            throw .refused(field: "otc", pageText: String(page.text.prefix(300)))
        }
        filled.fields[index].value = code
        return submit(filled, pressing: first(["verify", "next"], in: form.buttons) ?? form.buttons.first, at: url)
    }

    private func pickAccount(_ form: HTMLForm, at url: URL) -> PageRequest {
        let wanted = script.userName.lowercased()
        let tiles = form.buttons.filter { $0.name == "account" }
        let tile = tiles.first { $0.value.lowercased() == wanted || $0.label.lowercased().contains(wanted) }
        return submit(form, pressing: tile ?? first(["other"], in: form.buttons) ?? tiles.first, at: url)
    }

    /// The script's decision if the page offers one, otherwise the first button.
    private func decision(among buttons: [HTMLForm.Button]) -> HTMLForm.Button? {
        let consent =
            switch script.consent {
            case .accept: "accept"
            case .cancel: "cancel"
            }
        let offersConsent = first(["accept"], in: buttons) != nil
        let offersStaying = first(["yes"], in: buttons) != nil && first(["no"], in: buttons) != nil
        if offersConsent, let answer = first([consent], in: buttons) { return answer }
        if offersStaying { return first([script.staySignedIn ? "yes" : "no"], in: buttons) }
        // On a page with only other users' accounts, the script has nothing to press.
        let actions = Set(buttons.map(\.does))
        if actions == ["other", "cancel"] { return first(["cancel"], in: buttons) }
        return buttons.first
    }

    private func first(_ actions: [String], in buttons: [HTMLForm.Button]) -> HTMLForm.Button? {
        for action in actions {
            if let button = buttons.first(where: { $0.name == "action" && $0.does == action }) { return button }
        }
        return nil
    }

    private func submit(_ form: HTMLForm, pressing button: HTMLForm.Button?, at url: URL) -> PageRequest {
        let action = button?.action ?? form.action
        let target = action.isEmpty ? url : URL(string: action, relativeTo: url)?.absoluteURL ?? url
        let encoded = form.encoded(pressing: button)
        switch form.method {
        case .post:
            return PageRequest(url: target, form: encoded, origin: Self.origin(of: url, towards: target))
        case .get:
            guard var components = URLComponents(url: target, resolvingAgainstBaseURL: true) else {
                return PageRequest(url: target)
            }
            components.percentEncodedQuery = encoded
            return PageRequest(url: components.url ?? target)
        }
    }

    /// Fetch §3.1: the origin of the page, but `null` if a form leaves https.
    private static func origin(of page: URL, towards target: URL) -> String {
        guard let scheme = page.scheme?.lowercased() else { return "null" }
        let isDowngrade = scheme == "https" && target.scheme?.lowercased() != "https"
        return isDowngrade ? "null" : "\(scheme)://\(page.authority)"
    }
}
