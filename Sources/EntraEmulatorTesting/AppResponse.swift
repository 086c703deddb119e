// Licensed under the MIT License. See LICENSE.

public import EntraEmulator
public import Foundation
import ScriptedAgent

extension BrowserStandIn {
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
        public var description: String {
            "AppResponse(\(parameters.keys.sorted().joined(separator: ", ")))"
        }

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
