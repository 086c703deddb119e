// Licensed under the MIT License. See LICENSE.

public import EntraEmulator
public import Foundation
import ScriptedAgent
import Synchronization

/// A headless browser in which a user signs in on the pages of an emulator.
///
/// There are three ways to use it: ``command`` is a value for `BROWSER` or a browser setting, ``open(_:)`` is a
/// callback that opens an address, and a test can call ``visit(_:)`` itself. If no app listens at the redirect URI,
/// ``visit(_:stopsAt:)`` returns the response instead.
///
/// It keeps its cookies, so that a user who stays signed in is recognized at the next visit. If a sign-in cannot be
/// completed, the app receives `server_error` with the reason at its loopback redirect URI, so that a test fails
/// immediately instead of waiting indefinitely.
public final class BrowserStandIn: Sendable, EmulatorRedactedReflection {
    /// The error for a user who is not in the directory.
    public struct UnknownUser: LocalizedError, CustomStringConvertible {
        let userName: String
        let others: [String]

        /// One sentence with the remedy.
        public var description: String {
            "The directory has no user '\(userName)'; choose one of its users, such as \(others.joined(separator: ", "))."
        }
        /// The same as ``description``; `localizedDescription` returns it.
        public var errorDescription: String? { description }
    }

    /// The reason why a visit could not be completed.
    public struct Failure: LocalizedError, CustomStringConvertible {
        /// One sentence without codes and passwords.
        public let description: String
        /// The same as ``description``; `localizedDescription` returns it.
        public var errorDescription: String? { description }
    }

    /// The last page of a visit. Its printed form omits the address.
    public struct Page: Sendable, Equatable, CustomStringConvertible, EmulatorRedactedReflection {
        /// The address. The app's redirect contains a code: do not print it.
        public let url: URL
        /// The HTTP status; `nil` for a redirect to the scheme of an app, which is not requested.
        public let status: Int?
        /// The title.
        public let title: String
        /// The visible text.
        public let text: String

        /// The status and the title.
        public var description: String { "Page(\(status.map(String.init) ?? "no status"), \(title))" }
    }

    /// The name of its program.
    let name = "browser-\(UInt64.random(in: .min ... .max))"
    private let person: Script
    private let certificateAuthorityFile: URL
    private let hostAddresses: [String: ScriptedAgent.HostAddress]
    private let cookies = SharedCookies()
    private let ends = Mutex<[Result<Page, Failure>]>([])

    init(_ emulator: Emulator, person: Script, code: String?) {
        var person = person
        let name = person.userName
        person.code = { [weak emulator] text in
            code ?? emulator?.newestCode(shownIn: text, for: emulator?.account(named: name))
        }
        self.person = person
        certificateAuthorityFile = emulator.certificateAuthorityFile
        let address = ScriptedAgent.HostAddress(address: "127.0.0.1", port: emulator.port)
        hostAddresses = Dictionary(uniqueKeysWithValues: Emulator.serviceNames.map { ($0, address) })
    }

    /// Opens an address and returns immediately, as required of a callback that opens a browser.
    ///
    /// The last page of this visit is later available in ``visits``. If the visit fails, the app receives the error as
    /// a response.
    public func open(_ url: URL) {
        // This task is not awaited: the program that requested the page waits for the redirect.
        Task { _ = try? await visit(url) }
    }

    /// Opens an address, acts as the user on each page, and returns the last page.
    ///
    /// - Throws: ``Failure`` with the reason, if the sign-in does not complete; `CancellationError`.
    @discardableResult
    public func visit(_ url: URL) async throws -> Page { try await visit(url, as: person) }

    /// Opens an address, acts as the user on each page, and stops at the redirect back to the app. That address is not
    /// requested, so no app has to listen there.
    ///
    /// - Parameters:
    ///   - url: The app's authorization request.
    ///   - redirectURI: The redirect URI of that request.
    /// - Returns: The response that the app would have received.
    /// - Throws: ``Failure`` with the reason, if the pages do not lead there; `CancellationError`.
    public func visit(_ url: URL, stopsAt redirectURI: URL) async throws -> AppResponse {
        let outcome = try await browse(url, as: person, stopsAt: redirectURI)
        guard let response = AppResponse(outcome) else {
            throw Failure(
                description: "The browser stand-in ended on the page '\(Page(outcome).title)', which does not lead to "
                    + "\(redirectURI.absoluteString)."
            )
        }
        return response
    }

    /// Enters the code that a device displays, and signs in for it.
    ///
    /// - Parameters:
    ///   - userCode: The code that the device displays.
    ///   - url: The address that the device displays.
    /// - Returns: The last page.
    /// - Throws: ``Failure`` with the reason, if the sign-in does not complete; `CancellationError`.
    @discardableResult
    public func enter(_ userCode: String, at url: URL) async throws -> Page {
        var person = person
        let sent = person.code
        person.code = { text in sent(text) ?? userCode }
        return try await visit(url, as: person)
    }

    /// The results of all visits so far, oldest first.
    public var visits: [Result<Page, Failure>] { ends.withLock { $0 } }

    /// Removes all cookies, like a new browser profile.
    public func forgetSession() { cookies.removeAll() }

    /// A program that opens an address in this stand-in, as its path and arguments.
    ///
    /// The path by itself is a valid value of the variable `BROWSER`. It is a short file for `/bin/sh` that passes the
    /// address to this process and exits immediately, like desktop browsers. It exists as long as this process.
    ///
    /// - Throws: The system's error, if the temporary folder cannot be used.
    public var command: [String] { get throws { try BrowserCommands.shared.command(for: self) } }

    private func visit(_ url: URL, as person: Script) async throws -> Page {
        Page(try await browse(url, as: person))
    }

    /// Opens an address. An app that waits at its loopback redirect URI is notified of a failure, unless the visit
    /// stops there.
    private func browse(_ url: URL, as person: Script, stopsAt redirectURI: URL? = nil) async throws -> Outcome {
        let appRequest = Mutex<AppRequest?>(nil)
        let agent = ScriptedAgent(
            script: person,
            certificateAuthorityFile: certificateAuthorityFile,
            hostAddresses: hostAddresses,
            cookies: cookies,
            stopsAt: { url in redirectURI.map { AppResponse.isAt($0, address: url) } ?? false }
        ) { url in
            guard redirectURI == nil, let seen = AppRequest(url) else { return }
            appRequest.withLock { $0 = seen }
        }
        let outcome: Outcome
        do {
            outcome = try await agent.run(url)
        } catch let error as ScriptedAgentError {
            let failure = Failure(description: "The browser stand-in failed: \(error).")
            ends.withLock { $0.append(.failure(failure)) }
            await tell(appRequest.withLock { $0 }, reason: failure.description, by: agent)
            throw failure
        }
        let page = Page(outcome)
        ends.withLock { $0.append(.success(page)) }
        if let appRequest = appRequest.withLock({ $0 }), page.isError, !appRequest.isResponse(page.url) {
            await tell(appRequest, reason: "The page says: \(page.text.prefix(300))", by: agent)
        }
        return outcome
    }

    /// Ends the wait of an app whose sign-in will not complete.
    private func tell(_ request: AppRequest?, reason: String, by agent: ScriptedAgent) async {
        guard let response = request?.failure(reason) else { return }
        // An app that has exited in the meantime needs no response.
        _ = try? await agent.run(response)
    }

    /// The response with which the service redirects a browser back to an app. Its printed form omits the parameters.
    public struct AppResponse: Sendable, Equatable, CustomStringConvertible, EmulatorRedactedReflection {
        /// The app's redirect URI, with the parameters if they are in the query. They contain a code: do not print it.
        public let url: URL
        /// The body of the form, if the app requested one (`response_mode=form_post`).
        public let form: String?

        /// The parameters by name, from the form or the query.
        public var parameters: [String: String] {
            // A plus sign in a form is a space.
            let text = (form ?? url.query() ?? "").replacing("+", with: "%20")
            let items = URLComponents(string: "?\(text)")?.queryItems ?? []
            return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
        }

        /// The names of the parameters.
        public var description: String { "AppResponse(\(parameters.keys.sorted().joined(separator: ", ")))" }

        init?(_ outcome: Outcome) {
            guard case .stopped(let form) = outcome.ending else { return nil }
            (url, self.form) = (outcome.url, form)
        }

        /// Whether the address `url` is the redirect URI.
        static func isAt(_ redirectURI: URL, address url: URL) -> Bool {
            place(of: redirectURI) == place(of: url)
        }

        /// The parts of an address that do not depend on the response.
        private static func place(of url: URL) -> [String?] {
            let path = url.path()
            return [
                url.scheme?.lowercased(), url.host()?.lowercased(), url.port.map(String.init),
                path.isEmpty ? "/" : path,
            ]
        }
    }
}

extension BrowserStandIn.Page {
    init(_ outcome: Outcome) {
        url = outcome.url
        switch outcome.ending {
        case .appScheme, .stopped: (status, title, text) = (nil, "", "")
        case .page(let status, let title, let text): (self.status, self.title, self.text) = (status, title, text)
        }
    }

    fileprivate var isError: Bool { (status ?? 200) >= 400 }
}

/// The authorization request of an app that waits for its response at a loopback address.
struct AppRequest: Sendable, Equatable {
    private let redirectURI: URLComponents
    private let state: String?
    private let wantsForm: Bool

    /// Parses a request; `nil` for any other address, and for an app that waits elsewhere.
    init?(_ url: URL) {
        guard let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems else { return nil }
        func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
        guard value("client_id") != nil, let redirectURI = value("redirect_uri").flatMap({ URLComponents(string: $0) }),
            redirectURI.scheme == "http", ["localhost", "127.0.0.1", "[::1]"].contains(redirectURI.host)
        else { return nil }
        self.redirectURI = redirectURI
        state = value("state")
        wantsForm = value("response_mode") == "form_post"
    }

    /// Whether an address is the one at which the app waits.
    func isResponse(_ url: URL) -> Bool {
        url.scheme == "http" && url.port == redirectURI.port
            && [redirectURI.path, redirectURI.path + "/"].contains(url.path)
    }

    /// The error response that ends the wait (RFC 6749 §4.1.2.1), in the query or, if the app requested it, in a form.
    func failure(_ reason: String) -> PageRequest? {
        let parameters =
            [("error", "server_error"), ("error_description", reason)] + (state.map { [("state", $0)] } ?? [])
        let encoded = parameters.map { "\($0.formEncoded)=\($1.formEncoded)" }.joined(separator: "&")
        var target = redirectURI
        if target.path.isEmpty { target.path = "/" }
        guard !wantsForm else { return target.url.map { PageRequest(url: $0, form: encoded, origin: "null") } }
        target.percentEncodedQuery = [target.percentEncodedQuery, encoded].compactMap { $0 }.joined(separator: "&")
        return target.url.map { PageRequest(url: $0) }
    }
}
