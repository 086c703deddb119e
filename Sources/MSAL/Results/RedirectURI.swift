// Licensed under the MIT License. See LICENSE.

private import Foundation
import MSALBase
package import MSALCore

/// A checked redirect URI: where the authorization server sends the browser when the user is done (RFC 8252 §7).
package struct RedirectURI: Sendable, Hashable {
    /// The receiver of the redirect.
    package enum Kind: Sendable, Hashable {
        /// A listener on this machine. `port` is `nil` for any free one; `path` is empty or begins with a slash.
        case loopback(host: String, port: Int?, path: String)
        /// A scheme of the app's own, which a desktop entry connects with the app.
        case scheme
        /// A web page of the app, which has to hand the URL to the app itself.
        case https
    }

    /// The redirect URI where the app gives none and has no scheme of its own (docs/reference/RedirectURIs.md#linux).
    package static let loopback = RedirectURI(
        text: "http://localhost",
        kind: .loopback(host: "localhost", port: nil, path: ""),
        isBrokerCapable: false
    )

    /// The environment variable that replaces the redirect URI of any app. It helps a user on a machine where the app's
    /// own redirect URI does not work.
    static let variable = "MSAL_REDIRECT_URI"

    /// The URI as configured, without a port chosen at run time.
    package let text: String
    package let kind: Kind
    /// Whether the form is one that brokers accept. It says nothing about a broker being there
    /// (docs/reference/RedirectURIs.md#linux).
    let isBrokerCapable: Bool

    /// Checks the redirect URI of an application (docs/reference/RedirectURIs.md#linux).
    ///
    /// - Parameters:
    ///   - text: The configured URI; `nil` or blank for the default.
    ///   - applicationID: The reverse-DNS name of the app, if it has one.
    ///   - registeredSchemes: The URI schemes that the app's desktop entry claims, as written there; read only if the
    ///     URI is neither of this machine nor of the web.
    ///   - authority: Work and school authorities refuse custom schemes that are not the app's own.
    ///   - bypass: Accept any URI without a fragment.
    /// - Returns: The URI with what receives it.
    /// - Throws: ``RedirectURIError``, whose message says what to write instead.
    package static func verify(
        _ text: String?,
        applicationID: String?,
        registeredSchemes: @autoclosure () -> Set<String>,
        authority: Authority,
        bypass: Bool = false
    ) throws(RedirectURIError) -> RedirectURI {
        let text = text?.trimmed ?? ""
        let expectation = ExpectedScheme(applicationID: applicationID)
        guard !text.isEmpty else { return expectation.default(registeredSchemes()) }
        guard text != loopback.text else { return .loopback }

        guard !text.contains("#") else {
            throw expectation.refusal(.fragment, message: "The redirect URI \(text) has a fragment. Remove it.")
        }
        let parts = URLComponents(string: text)
        if bypass {
            let kind = parts.flatMap(loopback) ?? (parts?.scheme?.lowercased() == "https" ? .https : .scheme)
            return RedirectURI(text: text, kind: kind, isBrokerCapable: false)
        }
        guard let parts, let scheme = parts.scheme, !scheme.isEmpty else {
            throw expectation.refusal(.invalid, message: "The redirect URI \(text) \(syntaxFault(text)).")
        }

        switch scheme.lowercased() {
        case "http":
            guard let kind = loopback(parts) else {
                throw expectation.refusal(
                    .invalid,
                    message:
                        "The redirect URI \(text) is plain http. Only http://localhost, http://127.0.0.1 and http://[::1], "
                        + "without user name and query, are supported."
                )
            }
            return RedirectURI(text: text, kind: kind, isBrokerCapable: false)
        case "https":
            let uri = RedirectURI(text: text, kind: .https, isBrokerCapable: false)
            return try uri.accepted(by: authority, else: "uses https, an unsupported scheme", expectation)
        case _ where text.lowercased() == "urn:ietf:wg:oauth:2.0:oob":
            throw expectation.refusal(.invalid, message: "The redirect URI \(text) is not supported.")
        case _ where !registeredSchemes().contains(writtenScheme(text)):
            let canBeAccepted =
                !isWorkOrSchool(authority) || expectation.isBrokerCapable(text, host: parts.host)
            throw expectation.refusal(
                .notRegistered,
                message: "The scheme \(writtenScheme(text)) of the redirect URI \(text) is not registered"
                    + (canBeAccepted
                        ? ". Add x-scheme-handler/\(writtenScheme(text)) to MimeType in the desktop entry of the app."
                        : ", and it \(expectation.fault(text, host: parts.host)).")
            )
        default:
            let uri = RedirectURI(
                text: text,
                kind: .scheme,
                isBrokerCapable: expectation.isBrokerCapable(text, host: parts.host)
            )
            return try uri.accepted(by: authority, else: expectation.fault(text, host: parts.host), expectation)
        }
    }

    /// Why a text is not a URI (RFC 3986 §3.1): mostly a placeholder that was not replaced.
    private static func syntaxFault(_ text: String) -> String {
        let scheme = writtenScheme(text)
        guard !scheme.isEmpty, scheme != text else { return "is missing a scheme" }
        let isScheme =
            scheme.first?.isASCII == true && scheme.first?.isLetter == true
            && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
        return isScheme
            ? "is no URI"
            : "begins with \(scheme), which cannot be a scheme: a letter, then letters, digits, \"+\", \"-\" and \".\""
    }

    /// The scheme as written: `URLComponents` may change its case, and registrations are compared exactly.
    private static func writtenScheme(_ text: String) -> String {
        String(text.prefix { $0 != ":" })
    }

    private static func loopback(_ parts: URLComponents) -> Kind? {
        guard
            parts.scheme?.lowercased() == "http", let host = parts.host?.lowercased(),
            parts.user == nil, parts.password == nil, parts.query == nil
        else { return nil }
        let advertised = host == "::1" ? "[::1]" : host
        guard (0...65535).contains(parts.port ?? 80) else { return nil }
        guard ["localhost", "127.0.0.1", "[::1]"].contains(advertised) else { return nil }
        return .loopback(host: advertised, port: parts.port == 80 ? nil : parts.port, path: parts.percentEncodedPath)
    }

    private func accepted(
        by authority: Authority,
        else fault: String,
        _ expectation: ExpectedScheme
    ) throws(RedirectURIError) -> RedirectURI {
        guard isBrokerCapable || !Self.isWorkOrSchool(authority) else {
            throw expectation.refusal(.invalid, message: "The redirect URI \(text) \(fault).")
        }
        return self
    }

    private static func isWorkOrSchool(_ authority: Authority) -> Bool {
        authority.kind == .aad && authority.tenantKind != .consumers
    }
}

/// Why a redirect URI is refused. The app's developer has to change it.
package struct RedirectURIError: Error, Sendable, Hashable {
    /// The rule that was broken.
    package enum Kind: Sendable, Hashable {
        /// The redirect URI has a fragment (-42008).
        case fragment
        /// No desktop entry of the app claims its scheme (-42001).
        case notRegistered
        /// The form of the redirect URI is not accepted (-42011).
        case invalid
    }

    package let kind: Kind
    /// The cause and the form that is expected.
    package let message: String
}

/// The form that a custom scheme of the app must have.
private struct ExpectedScheme {
    let applicationID: String?

    /// `msauth.<application ID>`, in lower case as desktop entries are compared; `nil` if it is not a valid URI scheme.
    private var scheme: String? {
        guard let applicationID, !applicationID.contains("_") else { return nil }
        return "msauth.\(applicationID.lowercased())"
    }

    func refusal(_ kind: RedirectURIError.Kind, message: String) -> RedirectURIError {
        let form = scheme ?? "msauth.<application ID>"
        return RedirectURIError(
            kind: kind,
            message: "\(message) Use http://localhost, or \(form)://auth with that scheme registered."
        )
    }

    func `default`(_ registeredSchemes: Set<String>) -> RedirectURI {
        guard let scheme, registeredSchemes.contains(scheme) else { return .loopback }
        return RedirectURI(text: "\(scheme)://auth", kind: .scheme, isBrokerCapable: true)
    }

    // The form that brokers accept (docs/reference/RedirectURIs.md#broker-form).
    func isBrokerCapable(_ text: String, host: String?) -> Bool {
        guard let applicationID else { return false }
        if text == "msauth.\(applicationID)://auth" || scheme.map({ text == "\($0)://auth" }) == true { return true }
        return host?.caseInsensitiveCompare(applicationID) == .orderedSame
    }

    // The reason for which a form is not accepted (docs/reference/RedirectURIs.md#linux).
    func fault(_ text: String, host: String?) -> String {
        if text.hasPrefix("msauth") {
            guard host == "auth" else { return "is missing the host \"auth\"" }
            return applicationID == nil
                ? "names an application ID, and the app has none; set applicationID of its configuration"
                : "names another application ID"
        }
        return host?.isEmpty ?? true ? "is missing a host" : "has a form that work and school accounts do not accept"
    }
}

extension Platform {
    /// The redirect URI that the environment names for any app; see ``RedirectURI/variable``.
    var redirectURI: String? {
        guard let text = environment[RedirectURI.variable]?.trimmed, !text.isEmpty else { return nil }
        return text
    }
}

extension RedirectURI {
    /// How the redirect reaches this process.
    ///
    /// - Throws: `.invalidRedirectURI` for text that is not a URL, which only a bypassed check lets through.
    func visit() throws(AuthError) -> AuthorizationVisit.Redirect {
        switch kind {
        case .loopback(let host, let port, let path):
            return .loopback(host: host, port: port, path: path)
        case .scheme, .https:
            guard let url = URL(string: text) else {
                throw AuthError(.invalidRedirectURI, message: "The redirect URI is not a URL.")
            }
            return .scheme(url)
        }
    }

    var isLoopback: Bool { if case .loopback = kind { true } else { false } }
}
