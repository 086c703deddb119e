// Licensed under the MIT License. See LICENSE.

private import MSALBase
private import MSALCore

extension MSALClaimsRequest {
    /// Extracts the claims of a challenge with which an API or the service requests a new sign-in. Linux only.
    ///
    /// Create an ``MSALClaimsRequest/init(jsonString:error:)`` from the text, and sign the user in with it.
    ///
    /// - Parameter text: The value of the header `WWW-Authenticate` or the whole header, the claims in it, or the
    ///   base64-encoded JSON.
    /// - Returns: The JSON text of the claims; `nil` if the text requests none.
    public static func jsonString(ofChallenge text: String) -> String? {
        let header = text.replacing(/^\s*WWW-Authenticate\s*:/.ignoresCase(), with: "")
        let candidates = [text, AuthenticateChallenge.parse([header]).claimsChallenge].compactMap(\.self)
        return candidates.lazy.compactMap(claims).first?.text
    }

    private static func claims(_ text: String) -> JSONValue? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let spelled = [Data(text.utf8), Base64URL.decode(text)].lazy.compactMap(\.self)
        return spelled.compactMap(JSONValue.init(parsing:)).first { $0.object?.isEmpty == false }
    }
}
