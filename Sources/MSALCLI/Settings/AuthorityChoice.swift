// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// Creates the authority for a URL, of the kind that the URL shows.
enum AuthorityChoice {
    /// The advice about the form of an authority.
    static let remedy = "Write it like https://login.microsoftonline.com/contoso.com"

    /// Recognizes Azure AD B2C and External ID by their hosts or by a policy path. Any other URL is Entra ID's.
    ///
    /// - Throws: `Failure` with the status `usage`, saying what is wrong with the address.
    static func authority(_ text: String) throws(Failure) -> MSALAuthority {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), let host = url.host()?.lowercased(),
            !host.isEmpty
        else {
            throw .usage("The authority is not a valid URL: \(text)", remedy: remedy)
        }
        guard scheme == "https" else {
            throw .usage("The authority begins with \(scheme), but tokens are sent only over https.", remedy: remedy)
        }
        do {
            let isPolicy = url.pathComponents.dropFirst().first?.lowercased() == "tfp"
            if isPolicy || isB2C(host) { return try MSALB2CAuthority(url: url) }
            if host.hasSuffix(".ciamlogin.com") { return try MSALCIAMAuthority(url: url) }
            return try MSALAADAuthority(url: url)
        } catch {
            let reason = (error as NSError).userMessage
            throw .usage("The authority \(text) cannot be used. \(reason)", remedy: remedy)
        }
    }

    /// The URL of an authority's host. The text may be only that URL, as in `AZURE_AUTHORITY_HOST`.
    ///
    /// - Throws: The same errors as `authority(_:)`.
    static func host(of text: String) throws(Failure) -> String {
        if let url = URL(string: text), url.scheme == "https", ["", "/"].contains(url.path()),
            let host = ServiceHost(url)
        {
            return "https://\(host.environment)"
        }
        let url = try authority(text).url
        return ServiceHost(url).map { "https://\($0.environment)" } ?? url.absoluteString
    }

    /// Whether a host belongs to Azure AD B2C, in any cloud. The leading dot excludes names such as `myb2clogin.com`.
    private static func isB2C(_ host: String) -> Bool {
        [".b2clogin.com", ".b2clogin.cn", ".b2clogin.us", ".b2clogin.de"].contains { host.hasSuffix($0) }
    }

    /// The authority if its host belongs to Azure AD B2C. The library does not know these hosts, so the command passes
    /// it as a known authority.
    static func vouched(_ authority: MSALAuthority?) -> [MSALAuthority] {
        guard let authority, let host = authority.url.host()?.lowercased(), isB2C(host) else { return [] }
        return [authority]
    }
}
