// Licensed under the MIT License. See LICENSE.

public import EntraEmulator
public import Foundation
import ScriptedAgent
import Synchronization

/// A browser without a screen in which one person signs in at the pages of an emulator.
///
/// Programs get it in one of three ways: ``command`` as the value of `BROWSER` or of a setting for a browser, ``open(_:)``
/// as a callback that shows an address, or ``visit(_:)`` from the test itself. Where nobody listens at the app's redirect
/// URI, ``visit(_:stopsAt:)`` takes the response in the app's place.
///
/// It keeps its cookies, so that a person who stays signed in is known at the next visit. If a sign-in cannot be
/// completed, the app is told at its loopback redirect URI, with `server_error` and the reason. A test then fails at once
/// and does not wait for a person who never comes.
public final class BrowserStandIn: Sendable, ClosedMirror {
    /// The error for a name that is not in the directory.
    public struct UnknownUser: LocalizedError, CustomStringConvertible {
        let userName: String
        let others: [String]

        /// One sentence with the remedy.
        public var description: String {
            "The directory has no user '\(userName)'; choose one of its users, such as \(others.joined(separator: ", "))."
        }
        /// The sentence of `description`, which `localizedDescription` returns.
        public var errorDescription: String? { description }
    }

    /// The reason why a visit could not be completed.
    public struct Failure: LocalizedError, CustomStringConvertible {
        /// One sentence without codes and passwords.
        public let description: String
        /// The sentence of `description`, which `localizedDescription` returns.
        public var errorDescription: String? { description }
    }

    /// The last page of a visit. It prints without its address.
    public struct Page: Sendable, Equatable, CustomStringConvertible, ClosedMirror {
        /// The address. The app's redirect has a code in it: do not print it.
        public let url: URL
        /// The HTTP status; `nil` for a redirect to the scheme of an app, which no browser requests.
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

    /// Opens an address and returns at once, as a callback must that shows an address to a person.
    ///
    /// ``visits`` later has the page on which this visit ended. If the visit fails, the app gets the failure as a response.
    public func open(_ url: URL) {
        // Nobody awaits this task: the program that has asked for the page waits for the redirect.
        Task { _ = try? await visit(url) }
    }

    /// Opens an address, does what the person would do at each page, and returns the last page.
    ///
    /// - Throws: ``Failure`` with the reason, if the pages do not come to an end; `CancellationError`.
    @discardableResult
    public func visit(_ url: URL) async throws -> Page {
        try await visit(url, as: person)
    }

    /// Opens an address, does what the person would do at each page, and stops where the service sends the browser back to
    /// the app. Nothing is requested there, so nobody has to listen.
    ///
    /// - Parameters:
    ///   - url: The app's authorization request.
    ///   - redirectURI: The redirect URI of that request.
    /// - Returns: The response that the app would have got.
    /// - Throws: ``Failure`` with the reason, if the pages do not lead there; `CancellationError`.
    public func visit(_ url: URL, stopsAt redirectURI: URL) async throws -> AppResponse {
        let outcome = try await browse(url, as: person, stopsAt: redirectURI)
        guard let response = AppResponse(outcome) else {
            throw Failure(
                description: "The browser stand-in came to the page '\(Page(outcome).title)', which does not lead to "
                    + "\(redirectURI.absoluteString)."
            )
        }
        return response
    }

    /// Types the code that a device shows, and signs in for it.
    ///
    /// - Parameters:
    ///   - userCode: The code that the device shows.
    ///   - url: The page that the device names.
    /// - Returns: The last page.
    /// - Throws: ``Failure`` with the reason, if the pages do not come to an end; `CancellationError`.
    @discardableResult
    public func enter(_ userCode: String, at url: URL) async throws -> Page {
        var person = person
        let sent = person.code
        person.code = { text in sent(text) ?? userCode }
        return try await visit(url, as: person)
    }

    /// The results of all visits so far, oldest first.
    public var visits: [Result<Page, Failure>] { ends.withLock { $0 } }

    /// Forgets the cookies, as a new browser profile would.
    public func forgetSession() {
        cookies.removeAll()
    }

    /// A program that opens an address in this stand-in, as a list of its path and its arguments.
    ///
    /// The path alone is a value of the variable `BROWSER`. It is a short file for `/bin/sh`, which hands the address to
    /// this process and ends at once, as the browsers of desktops do. It lives as long as this process.
    ///
    /// - Throws: The system's error, if the temporary folder cannot be used.
    public var command: [String] { get throws { try BrowserCommands.shared.command(for: self) } }

    private func visit(_ url: URL, as person: Script) async throws -> Page {
        Page(try await browse(url, as: person))
    }

    /// Opens an address. An app that waits at its loopback redirect URI is told of a failure, unless the visit stops there.
    private func browse(_ url: URL, as person: Script, stopsAt redirectURI: URL? = nil) async throws -> Outcome {
        let wish = Mutex<AppRequest?>(nil)
        let agent = ScriptedAgent(
            script: person,
            certificateAuthorityFile: certificateAuthorityFile,
            hostAddresses: hostAddresses,
            cookies: cookies,
            stopsAt: { url in redirectURI.map { AppResponse.isAt($0, address: url) } ?? false }
        ) { url in
            guard redirectURI == nil, let seen = AppRequest(url) else { return }
            wish.withLock { $0 = seen }
        }
        let outcome: Outcome
        do {
            outcome = try await agent.run(url)
        } catch let error as ScriptedAgentError {
            let failure = Failure(description: "The browser stand-in gave up: \(error).")
            ends.withLock { $0.append(.failure(failure)) }
            await tell(wish.withLock { $0 }, reason: failure.description, by: agent)
            throw failure
        }
        let page = Page(outcome)
        ends.withLock { $0.append(.success(page)) }
        if let wish = wish.withLock({ $0 }), page.isError, !wish.isResponse(page.url) {
            await tell(wish, reason: "The page says: \(page.text.prefix(300))", by: agent)
        }
        return outcome
    }

    /// Ends the wait of an app whose sign-in nobody will complete.
    private func tell(_ request: AppRequest?, reason: String, by agent: ScriptedAgent) async {
        guard let response = request?.failure(reason) else { return }
        // An app that has ended meanwhile needs no response.
        _ = try? await agent.run(response)
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
