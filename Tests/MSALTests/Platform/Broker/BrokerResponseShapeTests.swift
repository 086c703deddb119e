// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import MSALBase
import Testing

/// The shapes of responses in a report, which contain no secret and no name.
struct BrokerResponseShapeTests {
    private func forms(_ response: String) -> [String: String] {
        Dictionary(BrokerResponseShape.members(of: response).map { ($0.path, $0.form) }) { $1 }
    }

    @Test func `a token is shown by its length and the algorithm of its header`() {
        let header = Base64URL.encode(Data(#"{"alg":"RS256","typ":"JWT","kid":"abcdef"}"#.utf8))
        let token = "\(header).eyJzdWIiOiJtZWdhbiJ9.c2lnbmF0dXJl"

        let forms = forms(#"{"brokerTokenResponse":{"accessToken":"\#(token)","accessTokenType":0}}"#)

        #expect(forms["brokerTokenResponse.accessToken"] == "string(\(token.count)), JWT header alg RS256")
        #expect(forms["brokerTokenResponse.accessTokenType"] == "integer 0")
    }

    @Test func `an opaque secret is shown by its length only`() {
        let forms = forms(
            #"{"cookieItems":[{"cookieName":"x-ms-RefreshTokenCredential","cookieContent":"s3cr3tValue"}]}"#
        )

        #expect(forms["cookieItems"] == "array(1)")
        #expect(forms["cookieItems.0.cookieName"] == "string(27) x-ms-RefreshTokenCredential")
        #expect(forms["cookieItems.0.cookieContent"] == "string(11)")
    }

    @Test func `an account is shown without names and ids`() {
        let uid = "9f4880d8-80ba-4c40-97bc-f7a23c703084"
        let utid = "f645ad92-e38d-4d1a-b510-d1b09a74a8ca"
        let clientInfo = Base64URL.encode(Data(#"{"uid":"\#(uid)","utid":"\#(utid)"}"#.utf8))
        let response = """
            {"accounts":[{"homeAccountId":"\(uid).\(utid)","localAccountId":"\(uid)","username":"megan@contoso.example",
            "name":"Megan Bowen","environment":"login.windows.net","clientInfo":"\(clientInfo)","passwordExpiry":0}]}
            """

        let forms = forms(response)

        #expect(forms["accounts.0.homeAccountId"] == "string(73), GUID.GUID")
        #expect(forms["accounts.0.localAccountId"] == "string(36), GUID")
        #expect(forms["accounts.0.username"] == "string(21), with an @")
        #expect(forms["accounts.0.name"] == "string(11), 2 words")
        #expect(forms["accounts.0.environment"] == "string(17) login.windows.net")
        #expect(forms["accounts.0.clientInfo"]?.hasSuffix("base64url of an object with uid, utid") == true)
        #expect(forms["accounts.0.passwordExpiry"] == "integer 0")
        let all = forms.values.joined() + forms.keys.joined()
        for part in ["megan", "Megan", "Bowen", "contoso", uid, utid, clientInfo] { #expect(!all.contains(part)) }
    }

    @Test func `seconds and milliseconds are distinguished without showing the time`() {
        let forms = forms(#"{"expiresOn":1767695142000,"extendedExpiresOn":1767698742}"#)

        #expect(forms["expiresOn"] == "integer, 13 digits")
        #expect(forms["extendedExpiresOn"] == "integer, 10 digits")
    }

    @Test func `an error is shown with its codes, and only known parts of its message`() {
        let response = """
            {"brokerTokenResponse":{"error":{"context":"AADSTS50078: megan@contoso.example. Code: 'invalid_grant'",
            "status":2,"subStatus":0,"errorCode":-21,"tag":595719680,"diagnostics":null}}}
            """

        let forms = forms(response)

        #expect(forms["brokerTokenResponse.error.status"] == "integer 2")
        #expect(forms["brokerTokenResponse.error.tag"] == "integer 595719680")
        #expect(forms["brokerTokenResponse.error.errorCode"] == "integer -21")
        #expect(forms["brokerTokenResponse.error.diagnostics"] == "null")
        let context = forms["brokerTokenResponse.error.context"]
        #expect(context?.hasSuffix(" AADSTS50078 Code: 'invalid_grant'") == true)
        #expect(context?.contains("megan") == false)
    }

    @Test func `a member that is named after a user is not named`() {
        let forms = forms(#"{"megan@contoso.example":1,"9f4880d8-80ba-4c40-97bc-f7a23c703084":2,"okName":"x"}"#)

        #expect(forms["‹name of 21›"] == "integer, 1 digits")
        #expect(forms["‹name of 36›"] == "integer, 1 digits")
        #expect(forms["okName"] == "string(1)")
    }

    @Test(arguments: [
        ("", "empty"), ("<html>no</html>", "text(15), not JSON, markup"), ("{", "text(1), not JSON"),
        ("[]", "array(0)"),
    ])
    func `a response that is not an object is described by its type`(response: String, form: String) {
        #expect(BrokerResponseShape.members(of: response).map(\.form) == [form])
    }

    @Test func `a huge or deep response results in a short report`() {
        let deep = String(repeating: #"{"a":"#, count: 100) + "1" + String(repeating: "}", count: 100)
        let wide = "{" + (0..<1000).map { "\"member\($0)\":1" }.joined(separator: ",") + "}"

        #expect(BrokerResponseShape.members(of: deep).count == 1)
        #expect(BrokerResponseShape.members(of: wide).count <= 200)
        let large = String(repeating: "x", count: 2 << 20)
        #expect(BrokerResponseShape.members(of: large).map(\.form) == ["text(2097152), not looked at"])
    }
}
