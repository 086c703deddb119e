// Licensed under the MIT License. See LICENSE.

import Foundation

/// Named settings from config.yaml. An empty profile sets nothing.
struct Profile: Equatable {
    var clientID: String?
    var authority: String?
    var knownAuthorities: [String] = []
    var scopes: [String] = []
    var caFile: URL?
    var graphURL: String?
    var redirect: RedirectChoice?
    /// The account that commands use unless another is named.
    var account: String?

    /// The name of the selected profile as the file spells it, and the file's default accounts by client id.
    var name: String?
    var accounts: [String: String] = [:]

    /// The members of a profile, as the file spells them.
    enum Member: String, CaseIterable {
        case clientID = "client_id"
        case authority
        case knownAuthorities = "known_authorities"
        case scopes
        case caFile = "ca_file"
        case graphURL = "graph_url"
        case port
        case redirectURI = "redirect_uri"
        case account

        /// Whether the setting is a list of texts.
        var isList: Bool { self == .scopes || self == .knownAuthorities }

        /// The environment variable that overrides the setting.
        var variable: String? {
            switch self {
            case .clientID: "MSAL_CLIENT_ID"
            case .authority: "MSAL_AUTHORITY"
            case .scopes: "MSAL_SCOPES"
            case .caFile: "MSAL_CA_FILE"
            case .graphURL: "MSAL_GRAPH_URL"
            case .redirectURI, .port: "MSAL_REDIRECT_URI"
            case .knownAuthorities, .account: nil
            }
        }

        static let names = allCases.map(\.rawValue).joined(separator: ", ")
    }
}
