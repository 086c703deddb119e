// Licensed under the MIT License. See LICENSE.

import Foundation

/// Accounts with 4.5 KB of tokens each, in the cache format that Microsoft's libraries share.
///
/// Each account has an access token of 1,600 bytes, a refresh token of 1,400, an ID token of about 1,500, and an account
/// record. All values differ by the account's number.
enum Content {
    static let clientID = "00000000-0000-4000-8000-000000000001"
    static let tenant = "11111111-1111-1111-1111-111111111111"
    static let host = "login.microsoftonline.com"
    static let customerHost = "contoso.ciamlogin.com"
    static let scope = "https://graph.microsoft.com/user.read"
    static let bytesPerAccount = 4500

    static func homeAccountID(_ number: Int) -> String { "\(localID(number)).\(tenant)" }
    static func username(_ number: Int) -> String { "user-\(number)@contoso.example" }

    /// A URL of the tenant.
    static func url(_ path: String = "") throws -> URL {
        guard let url = URL(string: "https://\(host)/\(tenant)\(path)") else { throw URLError(.badURL) }
        return url
    }

    /// The authority of an External ID tenant.
    static func customerURL() throws -> URL {
        guard let url = URL(string: "https://\(customerHost)/\(tenant)") else { throw URLError(.badURL) }
        return url
    }

    /// The serialized cache of some accounts.
    static func text(_ accounts: Range<Int>) -> Data {
        let now = Int(Date().timeIntervalSince1970)
        var text = Data()
        section("AccessToken", accounts, in: &text) { accessToken($0, secret: "t\($0)-", cachedAt: now - 60) }
        section("RefreshToken", accounts, in: &text) { number in
            """
            "\(homeAccountID(number))-\(cacheHost)-refreshtoken-\(clientID)--":\
            {"credential_type":"RefreshToken","home_account_id":"\(homeAccountID(number))","environment":"\(cacheHost)",\
            "client_id":"\(clientID)","last_modification_time":"\(now)",\
            "secret":"\(padded("r\(number)-", to: 1400, with: "r"))"}
            """
        }
        section("IdToken", accounts, in: &text) { number in
            """
            "\(homeAccountID(number))-\(cacheHost)-idtoken-\(clientID)-\(tenant)-":\
            {"credential_type":"IdToken","home_account_id":"\(homeAccountID(number))","environment":"\(cacheHost)",\
            "client_id":"\(clientID)","realm":"\(tenant)","secret":"\(idToken(number, now: now))"}
            """
        }
        section("Account", accounts, in: &text) { number in
            """
            "\(homeAccountID(number))-\(cacheHost)-\(tenant)":\
            {"home_account_id":"\(homeAccountID(number))","environment":"\(cacheHost)","realm":"\(tenant)",\
            "local_account_id":"\(localID(number))","username":"\(username(number))","name":"User \(number)",\
            "authority_type":"MSSTS"}
            """
        }
        let metadata = #""client_id":"\#(clientID)","environment":"\#(cacheHost)","family_id":"""#
        text.append(contentsOf: #","AppMetadata":{"appmetadata-\#(cacheHost)-\#(clientID)":{\#(metadata)}}}"#.utf8)
        return text
    }

    /// A serialized cache with one new access token.
    static func newToken(_ number: Int, secret: String) -> Data {
        let entry = accessToken(number, secret: secret, cachedAt: Int(Date().timeIntervalSince1970))
        return Data(#"{"AccessToken":{\#(entry)}}"#.utf8)
    }

    private static let cacheHost = "login.windows.net"

    private static func localID(_ number: Int) -> String {
        let digits = String(number)
        return "22222222-2222-4222-8222-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    private static func accessToken(_ number: Int, secret: String, cachedAt: Int) -> String {
        let end = cachedAt + 86_400
        return """
            "\(homeAccountID(number))-\(cacheHost)-accesstoken-\(clientID)-\(tenant)-\(scope)":\
            {"credential_type":"AccessToken","home_account_id":"\(homeAccountID(number))","environment":"\(cacheHost)",\
            "client_id":"\(clientID)","realm":"\(tenant)","target":"\(scope)","token_type":"Bearer",\
            "cached_at":"\(cachedAt)","expires_on":"\(end)","extended_expires_on":"\(end)",\
            "secret":"\(padded(secret, to: 1600, with: "t"))"}
            """
    }

    private static func idToken(_ number: Int, now: Int) -> String {
        let claims = """
            {"aud":"\(clientID)","iss":"https://\(host)/\(tenant)/v2.0","iat":\(now),"nbf":\(now),"exp":\(now + 3600),\
            "name":"User \(number)","oid":"\(localID(number))","preferred_username":"\(username(number))",\
            "rh":"\(padded("0.", to: 300, with: "h"))","sub":"\(padded("s\(number)", to: 43, with: "s"))",\
            "tid":"\(tenant)","uti":"\(padded("u\(number)", to: 22, with: "u"))","ver":"2.0"}
            """
        let payload = String(decoding: Data(claims.utf8).base64EncodedData().compactMap(urlSafe), as: UTF8.self)
        return "eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9.\(payload)." + padded("", to: 1464 - payload.utf8.count, with: "c")
    }

    private static func urlSafe(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        case UInt8(ascii: "="): nil
        default: byte
        }
    }

    private static func section(
        _ name: String,
        _ accounts: Range<Int>,
        in text: inout Data,
        entry: (Int) -> String
    ) {
        text.append(contentsOf: (text.isEmpty ? "{" : ",").utf8)
        text.append(contentsOf: "\"\(name)\":{".utf8)
        for number in accounts {
            if number > accounts.lowerBound { text.append(UInt8(ascii: ",")) }
            text.append(contentsOf: entry(number).utf8)
        }
        text.append(UInt8(ascii: "}"))
    }

    private static func padded(_ text: String, to length: Int, with character: Character) -> String {
        text + String(repeating: character, count: max(0, length - text.utf8.count))
    }
}
