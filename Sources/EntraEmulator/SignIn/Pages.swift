// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird
import MSALBase
import Mustache
import NIOCore

/// Renders the pages for users. Mustache escapes every value; no template uses `{{{`.
struct Pages: Sendable {
    let ports: BoundPorts

    /// The address of the console; `nil` if the emulator has no control port.
    private var console: String? { ports.control.map { "https://localhost:\($0)" } }

    /// All templates. They are parsed for the first page of a process, so that they do not delay the start.
    private static let library: Result<MustacheLibrary, any Error> = Result {
        var library = MustacheLibrary()
        for (name, text) in Templates.all.merging(ConsoleTemplates.all, uniquingKeysWith: { first, _ in first }) {
            try library.register(text, named: name)
        }
        return library
    }

    /// The hidden values of all sign-in forms.
    struct Form: Sendable {
        let action: String
        let flow: String
        let token: Secret
        let application: String

        fileprivate var values: [String: Any] {
            ["action": action, "flow": flow, "csrf": token.exposed, "application": application]
        }
    }

    /// A line on the consent page.
    struct Permission: Sendable {
        let name: String
        let summary: String
    }

    /// Users on a page, and the term that they were searched with; `nil` if there are too few to search.
    struct Accounts: Sendable {
        var users: [User] = []
        var search: String?

        /// The page has a search field for more users than this.
        static let many = 10

        /// The users whose name contains the term of a search.
        init(_ all: [User], matching term: String? = nil) {
            users = all.filter { term.map($0.matches) ?? true }
            search = all.count > Self.many ? term ?? "" : nil
        }
    }

    private func search(_ accounts: Accounts) -> [String: Any] {
        ["search": accounts.search.map { [["term": $0, "isEmpty": accounts.users.isEmpty] as [String: Any]] } ?? []]
    }

    func picker(_ form: Form, accounts: Accounts) -> Response {
        let values = search(accounts).merging(["accounts": accounts.users.map(row)]) { own, _ in own }
        return page("picker", title: "Pick an account", form: form, values: values)
    }

    /// `people`: The users that one click signs in.
    func userName(_ form: Form, typed: String, people: Accounts = .init([]), problem: EntraError?) -> Response {
        var values: [String: Any] = [
            "typed": typed, "people": people.users.prefix(20).map(row),
            "hasPeople": !people.users.isEmpty || people.search != nil,
        ]
        values.merge(search(people)) { own, _ in own }
        return page("username", title: "Sign in", problem: problem, form: form, values: values)
    }

    func password(_ form: Form, userName: String, problem: EntraError?) -> Response {
        page("password", title: "Enter password", problem: problem, form: form, values: ["identity": userName])
    }

    func code(_ form: Form, sentTo address: String, problem: EntraError?) -> Response {
        page(
            "code",
            title: "Enter code",
            problem: problem,
            form: form,
            values: ["address": address, "console": console.map { [$0] } ?? []]
        )
    }

    func signUp(_ form: Form, typed: String, problem: EntraError?) -> Response {
        page("signup", title: "Create account", problem: problem, form: form, values: ["typed": typed])
    }

    /// Asks for a contact that becomes a method for a second factor.
    func registration(_ form: Form, typed: String, problem: EntraError?) -> Response {
        page("registration", title: "More information required", problem: problem, form: form, values: ["typed": typed])
    }

    func newPassword(_ form: Form, problem: EntraError?) -> Response {
        page("newpassword", title: "Update your password", problem: problem, form: form)
    }

    func termsOfUse(_ form: Form) -> Response {
        page("terms", title: "Terms of use", form: form)
    }

    /// Tells the user that access is denied and nothing on the pages helps.
    func refused(_ form: Form, error: EntraError) -> Response {
        RequestNotes.note(error)
        return page(
            "refused",
            title: "You cannot access this right now",
            form: form,
            values: [
                "message": error.message, "number": String(error.number), "change": change(for: error, clientID: nil),
            ]
        )
    }

    /// The change of the directory that resolves an error, with a link to the console; empty if there is none.
    private func change(for error: EntraError, clientID: String?) -> [[String: Any]] {
        guard let change = error.change(clientID: clientID) else { return [] }
        return [["text": change.text, "links": console.map { [$0 + change.path] } ?? []]]
    }

    func staySignedIn(_ form: Form) -> Response {
        page("kmsi", title: "Stay signed in?", form: form)
    }

    /// `isForEverybody`: Whether an administrator consents for the whole organization.
    func consent(
        _ form: Form,
        userName: String,
        api: String,
        publisher: String? = nil,
        isForEverybody: Bool = false,
        permissions: [Permission]
    ) -> Response {
        let rows = permissions.map { ["scope": $0.name, "summary": $0.summary] }
        return page(
            "consent",
            title: "Permissions requested",
            form: form,
            values: [
                "identity": userName, "resource": api, "publishers": publisher.map { [$0] } ?? [], "permissions": rows,
                "everybody": isForEverybody,
            ]
        )
    }

    /// Asks for the code that a device displays.
    func device(typed: String, problem: EntraError?) -> Response {
        page("device", title: "Enter code to allow access", problem: problem, values: ["typed": typed])
    }

    /// Tells the user that the device continues, or that the sign-in was declined.
    func deviceDone(_ application: String, isSignedIn: Bool) -> Response {
        page(
            isSignedIn ? "devicedone" : "devicedeclined",
            title: isSignedIn ? "You have signed in" : "You declined to sign in",
            values: ["application": application]
        )
    }

    func administratorNeeded(_ form: Form) -> Response {
        page("admin", title: "Need admin approval", form: form)
    }

    /// Asks for confirmation of a sign-out that another site requested, or which of several users to sign out.
    func signOut(
        at address: String,
        token: Secret,
        accounts: [User],
        parameters: [(String, String)]
    ) -> Response {
        let fields = parameters.map { ["name": $0.0, "value": $0.1] }
        return page(
            accounts.isEmpty ? "signout" : "signoutpicker",
            title: accounts.isEmpty ? "Sign out?" : "Which account do you want to sign out of?",
            values: [
                "action": address, "csrf": token.exposed, "parameters": fields, "accounts": accounts.map(row),
            ]
        )
    }

    /// The page of the redirect URI that native apps share. A browser displays it; an app with its own web view never
    /// reaches it.
    func nativeClient() -> Response {
        page("nativeclient", title: "You may close this window")
    }

    /// Confirms the sign-out, and notifies applications in hidden frames.
    ///
    /// `frames`: The addresses of the frames.
    /// `target`: The address that the browser opens after the frames are loaded; `nil` stays on the page.
    func signedOut(telling frames: [String] = [], then target: String? = nil) -> Response {
        let nonce = Secret.random(bytes: 16).exposed
        var response = page(
            "signedout",
            title: "You signed out",
            allowing: (target == nil ? [] : ["script-src 'nonce-\(nonce)'"]) + Self.source(of: frames),
            values: ["frames": frames, "target": target.map { [["address": $0, "nonce": nonce]] } ?? []]
        )
        // The browser follows this header if a frame hangs, or if it runs no scripts.
        if let target { response.headers[.refresh] = "5; url=\(target)" }
        return response
    }

    /// The home page, which describes how clients reach this emulator.
    func home(_ directory: ServedDirectory, authorityFile: String) -> Response {
        let people = directory.users.filter { $0.customer == nil }
        return page(
            "home",
            title: "Entra emulator",
            values: [
                "authority": authorityFile, "client": directory.applications.first?.clientID ?? "",
                "tenant": directory.tenants.first?.id ?? "",
                "people": (people.isEmpty ? directory.users : people).map {
                    ["user": $0.userPrincipalName, "name": $0.displayName]
                },
            ]
        )
    }

    func error(_ error: EntraError, exchange: Exchange) -> Response {
        guard error != .notFound else {
            return page("notfound", title: "Page not found", status: .notFound, values: ["path": exchange.path])
        }
        return page(
            "error",
            title: "Sorry, but we’re having trouble signing you in",
            status: .init(code: error.status),
            values: [
                "number": String(error.number), "message": error.message, "correlation": exchange.correlationID,
                "trace": exchange.traceID, "timestamp": exchange.timestamp,
                "change": change(for: error, clientID: exchange.parameters["client_id"]),
            ]
        )
    }

    /// The page of `error_uri`.
    func errorNumber(_ text: String?) -> Response {
        let digits = (text ?? "").filter { ("0"..."9").contains($0) }.prefix(9)
        return page("number", title: digits.isEmpty ? "Error numbers" : "AADSTS\(digits)")
    }

    /// The page that posts a response to the application: automatically with scripts, otherwise with its button.
    ///
    /// OAuth 2.0 Form Post Response Mode §2.
    func formPost(to address: String, parameters: [(String, String)]) -> Response {
        let nonce = Secret.random(bytes: 16).exposed
        let fields = parameters.map { ["name": $0.0, "value": $0.1] }
        return page(
            "formpost",
            title: "Returning to the application",
            allowing: ["script-src 'nonce-\(nonce)'"],
            values: ["address": address, "parameters": fields, "nonce": nonce]
        )
    }

    /// The style sheet, which is the only resource that a page loads.
    static func stylesheet() -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "text/css; charset=utf-8", .cacheControl: "max-age=3600"],
            body: .init(byteBuffer: ByteBuffer(string: Stylesheet.text))
        )
    }

    /// Renders a page inside the common layout.
    ///
    /// `directives`: What the content security policy allows in addition to the style sheet.
    func page(
        _ name: String,
        title: String,
        status: HTTPResponse.Status = .ok,
        problem: EntraError? = nil,
        allowing directives: [String] = [],
        form: Form? = nil,
        values: [String: Any] = [:]
    ) -> Response {
        var values = values.merging(form?.values ?? [:]) { own, _ in own }
        values["title"] = title
        if let problem {
            RequestNotes.note(problem)
            values["problem"] = ["text": problem.explanation, "number": String(problem.number)]
        }
        // The tests render each page, so every template is known to be valid.
        let html = (try? Self.library.get())?.render(values, withTemplate: name) ?? ""
        // No `form-action`: browsers also apply it to the redirect after a form, which leads to the application.
        let policy =
            ["default-src 'none'", "style-src 'self'"] + directives + ["base-uri 'none'", "frame-ancestors 'none'"]
        return Response(
            status: status,
            headers: [
                .contentType: "text/html; charset=utf-8", .contentSecurityPolicy: policy.joined(separator: "; "),
            ],
            body: .init(byteBuffer: ByteBuffer(string: html))
        )
    }

    private static func source(of frames: [String]) -> [String] {
        frames.isEmpty ? [] : ["frame-src \(Set(frames.map(origin)).sorted().joined(separator: " "))"]
    }

    /// Scheme, host, and port, without the characters that end an entry or a directive of a policy.
    private static func origin(_ address: String) -> String {
        address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
            .filter { !";, ".contains($0) }
    }

    /// A user in a list.
    private func row(_ user: User) -> [String: String] {
        let initial = user.displayName.first.map { String($0).uppercased() } ?? "?"
        return ["name": user.displayName, "user": user.userPrincipalName, "initial": initial]
    }
}

extension EntraError {
    /// The text for the user on the page, if the message for developers would not help.
    fileprivate var explanation: String {
        switch number {
        case EntraError.unknownUser.number: "We couldn’t find an account with that user name. Try another one."
        case EntraError.wrongPassword.number: "Your account or password is incorrect. Try again."
        case EntraError.disabledUser.number: "Your account is disabled. Contact your administrator."
        case EntraError.lockedUser.number: "Your account is locked after too many wrong passwords. Try again later."
        case EntraError.wrongCode.number: "That code didn’t work. Check the code and try again, or request another one."
        case EntraError.expiredCode.number: "That code has expired. Request another one."
        case EntraError.passwordExpired.number: "Your password has expired. Reset it to continue."
        case EntraError.passwordChangeRequired.number: "You have to change your password. Reset it to continue."
        default: message
        }
    }
}
