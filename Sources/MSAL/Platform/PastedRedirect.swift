// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// Validates an address that a user pastes, as strictly as the listener validates a request.
package struct PastedRedirect: Sendable {
    /// The longest accepted text, in bytes.
    static let maximumBytes = 65_536

    /// The reason why a text is not the redirect of this sign-in. The user is asked again.
    package enum Refusal: Error, Sendable, Hashable, CaseIterable {
        case empty
        case tooLong
        case controlCharacters
        case notAnAddress
        /// The address that the user was asked to open.
        case startAddress
        /// An address that is not the redirect URI's.
        case anotherAddress
        /// The end of the address is missing.
        case cutOff
        /// A redirect with the state of another sign-in.
        case anotherSignIn

        /// One or two sentences for the user.
        package var explanation: String {
            switch self {
            case .empty: "Nothing was pasted."
            case .tooLong: "That is too long for an address. Copy only the browser's address line."
            case .controlCharacters:
                "The text has control characters. Copy the address again and paste it without changing it."
            case .notAnAddress: "That is not an address. Copy the whole address line of the browser."
            case .startAddress:
                "That is the address to open. Sign in there, then paste the address on which the browser ends."
            case .anotherAddress:
                "That is the address of another page. Go on in the browser until it has left the page."
            case .cutOff:
                "The end of the address is missing. Terminals cut lines at 4,096 bytes: copy the whole address line again."
            case .anotherSignIn: "That address belongs to another sign-in. Open the address above and paste its result."
            }
        }
    }

    /// The redirect URI as it was sent, with the real port.
    let redirectURI: URL
    /// The address that the user was asked to open.
    let page: URL
    /// The state that was sent.
    let expectedState: String

    /// The parameters of the redirect. Their state is this sign-in's, and there is a code or an error among them.
    package func parameters(in pasted: String) throws(Refusal) -> [String: String] {
        guard pasted.utf8.count <= Self.maximumBytes else { throw .tooLong }
        let text = Self.unwrapped(pasted)
        guard !text.isEmpty else { throw .empty }
        guard !text.hasControlCharacters else { throw .controlCharacters }
        // Foundation would repair an invalid URL: an address has neither spaces nor other scripts.
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let url = URL(string: text), url.scheme != nil
        else {
            throw .notAnAddress
        }
        guard url.isRedirect(to: redirectURI) else {
            throw url.host() == page.host() && url.path() == page.path() ? .startAddress : .anotherAddress
        }
        // The request asked for a query, so a fragment is not the service's.
        let parameters = RedirectParameters.parse(url.query(percentEncoded: true) ?? "")
        guard let state = parameters["state"], !state.isEmpty else { throw .cutOff }
        guard constantTimeEqual(state, to: expectedState) else {
            throw expectedState.hasPrefix(state) ? .cutOff : .anotherSignIn
        }
        guard ["code", "error"].contains(where: { !(parameters[$0] ?? "").isEmpty }) else { throw .cutOff }
        return parameters
    }

    /// The text without its surroundings: spaces, line ends, quotation marks, and the marks by which terminals bracket
    /// a paste.
    private static func unwrapped(_ pasted: String) -> String {
        var text = pasted.trimmed
        for mark in ["\u{1B}[200~", "\u{1B}[201~"] {
            if text.hasPrefix(mark) { text.removeFirst(mark.count) }
            if text.hasSuffix(mark) { text.removeLast(mark.count) }
        }
        text = text.trimmed
        for (open, close) in [("\"", "\""), ("'", "'"), ("<", ">")]
        where text.count > 1 && text.hasPrefix(open) && text.hasSuffix(close) {
            text = String(text.dropFirst().dropLast())
        }
        return text
    }
}

extension URL {
    /// Whether this is `redirect` with parameters added. Scheme and host are compared without regard to case, and no
    /// path is the same as a lone slash, which browsers like to add.
    func isRedirect(to redirect: URL) -> Bool {
        func path(_ url: URL) -> String { url.path() == "/" ? "" : url.path() }
        return scheme?.lowercased() == redirect.scheme?.lowercased()
            && host()?.lowercased() == redirect.host()?.lowercased()
            && port == redirect.port
            && user() == nil && password() == nil
            && path(self) == path(redirect)
    }
}
