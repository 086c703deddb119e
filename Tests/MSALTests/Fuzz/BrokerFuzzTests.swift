// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import TestSupport
import Testing

@testable import MSAL

/// Damaged responses of a broker. A trap ends the whole run. Each test states what else must be true.
/// `MSAL_FUZZ_ROUNDS` and `MSAL_FUZZ_SECONDS` set the length (see ``Fuzz``).
struct BrokerFuzzTests {
    private static let words = [
        "\"error\":", "\"status\":", "\"context\":", "\"account\":", "null", "{}", "AADSTS",
        "\"homeAccountId\":\"a.b\"",
        "\"accessTokenType\":1", "\\u0000", "\\u001b", "\"expiresOn\":0", "1e11", "'", "Code: '",
    ]

    private func read<Value>(
        _ text: String,
        method: IdentityBrokerMethod,
        _ value: (BrokerResponse) throws(BrokerFailure) -> Value
    )
        -> Result<Value, BrokerFailure>
    {
        Result { () throws(BrokerFailure) -> Value in try value(try BrokerResponse(text, to: method)) }
    }

    @Test func `a damaged token response is rejected, or yields a usable token`() throws {
        let account = try BrokerSample.knownAccount()
        let corpus = [
            BrokerSample.token(), BrokerSample.token(["account": nil]),
            BrokerSample.token([
                "grantedScopes": .array([.string("a"), .string("b")]), "expiresOn": .string("1767695142"),
            ]),
        ].map { Array($0.text.utf8) }
        var fuzz = Fuzz(corpus: corpus, words: Self.words)
        var readable = 0
        fuzz.run { input in
            let text = String(decoding: input, as: UTF8.self)
            let result = read(text, method: .tokenSilently) { (response) throws(BrokerFailure) in
                try response.token(for: BrokerSample.request(account: account))
            }
            guard case .success(let token) = result else { return }  // Rejected.
            readable += 1
            #expect(token.accessToken.exposed.isBearerToken)
            #expect(token.account.map { $0.homeAccountID == account.homeAccountID } ?? true)
            #expect(token.expiresOn.timeIntervalSince1970 > 0)
            #expect(!token.isBound)
            #expect(!token.scopes.isEmpty && !token.scopes.contains { $0.isEmpty || $0.hasControlCharacters })
        }
        #expect(readable > Fuzz.rounds / 50, "The mutations left too few readable responses.")
    }

    @Test func `damaged accounts are skipped, or have well-formed ids`() {
        let corpus = [Array(JSONValue.object(["accounts": .array([.object(BrokerSample.account)])]).text.utf8)]
        var fuzz = Fuzz(corpus: corpus, words: Self.words)
        var readable = 0
        fuzz.run { input in
            let text = String(decoding: input, as: UTF8.self)
            let result = read(text, method: .accounts) { (response) throws(BrokerFailure) in try response.accounts() }
            guard case .success(let accounts) = result else { return }  // Rejected.
            readable += accounts.count
            for account in accounts {
                #expect(account.homeAccountID.split(separator: ".", omittingEmptySubsequences: true).count == 2)
                let ids =
                    [account.homeAccountID, account.environment, account.username]
                    + [account.localAccountID, account.realm, account.clientInfo].compactMap(\.self)
                #expect(!ids.contains { $0.isEmpty || $0.hasControlCharacters })
            }
        }
        #expect(readable > Fuzz.rounds / 50, "The mutations left too few readable responses.")
    }

    @Test func `a damaged error is a failure with a short message`() {
        let error: [String: JSONValue] = [
            "context": .string("AADSTS50078: expired. Code: 'invalid_grant' suberror: 'token_expired'"),
            "diagnostics": .object(["raw_error_code": .string("invalid_grant")]), "errorCode": .integer(0),
            "status": .integer(2), "subStatus": .integer(0), "tag": .integer(595_719_680),
        ]
        let corpus = [Array(BrokerSample.failure(error, method: .tokenSilently).text.utf8)]
        var fuzz = Fuzz(corpus: corpus, words: Self.words)
        var reported = 0
        fuzz.run { input in
            let text = String(decoding: input, as: UTF8.self)
            let result = read(text, method: .tokenSilently) { (response) throws(BrokerFailure) in
                try response.token(for: BrokerSample.request())
            }
            guard case .failure(let failure) = result else { return }
            reported += failure.kind == .interactionRequired ? 1 : 0
            #expect(!failure.message.isEmpty && failure.message.count < 3000)
            #expect(failure.serviceCodes.count <= 16)
            for name in [failure.oauthError, failure.oauthSuberror].compactMap(\.self) {
                #expect(BrokerErrorText.name(name) == name)
            }
        }
        #expect(reported > Fuzz.rounds / 50, "The mutations left too few reports.")
    }

    @Test func `damaged cookies and versions are rejected, or are safe in a header and on a screen`() {
        let cookie: [String: JSONValue] = ["cookieName": .string("x-ms-Cookie"), "cookieContent": .string("abc.def")]
        let version: [String: JSONValue] = [
            "linuxBrokerVersion": .string("3.0.1"),
            "deviceInfo": .object(["mode": .string("shared"), "deviceId": .string("d")]),
        ]
        let corpus = [cookie, ["cookieItems": .array([.object(cookie)])], version].map {
            Array(JSONValue.object($0).text.utf8)
        }
        var fuzz = Fuzz(corpus: corpus, words: Self.words)
        var readable = 0
        fuzz.run { input in
            let text = String(decoding: input, as: UTF8.self)
            if case .success(let cookies) = read(
                text,
                method: .cookie,
                { (response) throws(BrokerFailure) in try response.cookies() }
            ) {
                readable += 1
                for cookie in cookies {
                    #expect((cookie.name + cookie.content.exposed).utf8.allSatisfy { (0x21..<0x7F).contains($0) })
                }
            }
            if case .success(let information) = read(text, method: .version, { (response) in response.information() }) {
                readable += information.version == nil ? 0 : 1
                let texts = [information.version, information.device?.deviceID, information.device?.tenantID]
                #expect(!texts.contains { $0?.hasControlCharacters == true })
            }
        }
        #expect(readable > Fuzz.rounds / 50, "The mutations left too few readable responses.")
    }
}
