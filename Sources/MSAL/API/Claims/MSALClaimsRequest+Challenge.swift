// Licensed under the MIT License. See LICENSE.

private import MSALBase
private import MSALCore

extension MSALClaimsRequest {
    /// The claims of a challenge, by which an API or the service asks for a new sign-in. Linux only.
    ///
    /// Make an ``MSALClaimsRequest/init(jsonString:error:)`` of the text, and sign the user in with that.
    ///
    /// - Parameter text: The value of the header `WWW-Authenticate` or the whole header, the claims in it, or the JSON
    ///   that they encode in base64.
    /// - Returns: The JSON text of the claims; `nil` if the text asks for none.
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
