// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALServer
import TestSupport
import Testing

struct WebSignInResponseTests {
    @Test func `a form is decoded`() throws {
        let response = try MSALWebSignInResponse(formBody: Array("code=0.a%2Fb+c&state=s%C3%BC&empty=&bare".utf8))

        #expect(response["code"] == "0.a/b c")
        #expect(response.state == "sü")
        #expect(response["empty"] == nil)
        #expect(response["bare"] == nil)
    }

    @Test(arguments: [
        "code=1&code=2", "state=a&state=a", "code=%", "code=%4", "code=%zz", "code=%FF", "%FF=1", "co%64e=1&code=1",
    ])
    func `a repeated parameter and an invalid text are rejected`(_ text: String) {
        let inQuery = #expect(throws: MSALTokenError.self) { try MSALWebSignInResponse(query: text) }
        let inForm = #expect(throws: MSALTokenError.self) { try MSALWebSignInResponse(formBody: Array(text.utf8)) }

        #expect(inQuery?.kind == .invalidSignInResponse)
        #expect(inForm?.kind == .invalidSignInResponse)
    }

    @Test func `too many bytes and too many parameters are rejected`() {
        let long = "code=" + String(repeating: "a", count: 65_536)
        let many = (0...64).map { "p\($0)=1" }.joined(separator: "&")
        for text in [long, many] {
            let error = #expect(throws: MSALTokenError.self) { try MSALWebSignInResponse(query: text) }
            #expect(error?.kind == .invalidSignInResponse)
        }
    }
}

struct WebSignInFuzzTests {
    @Test func `any form from a browser is parsed or rejected`() {
        let corpus = [
            "code=0.abc&state=xyz&session_state=1&client_info=eyJ1aWQiOiIxIn0",
            "error=access_denied&error_subcode=cancel&error_description=AADSTS65004%3a+User+declined&state=xyz",
        ]
        var fuzz = Fuzz(corpus: corpus.map { Array($0.utf8) }, words: ["&", "=", "%", "%C3", "code=", "state="])
        fuzz.run { input in
            do throws(MSALTokenError) {
                let response = try MSALWebSignInResponse(formBody: input)
                #expect(response["code"] != "")
            } catch {
                #expect(error.kind == .invalidSignInResponse)
            }
        }
    }

    @Test func `any request from a session is rejected or ends without a token`() async throws {
        let story = try WebAppStory()
        let request = try await story.begin()
        let response = try story.response(to: request)
        let coded = try JSONEncoder().encode(request)
        var fuzz = Fuzz(corpus: [Array(coded)], words: ["null", "{}", "\"version\":1", "9223372036854775807"])
        try await fuzz.run(rounds: min(Fuzz.rounds, 1000)) { input in
            guard let read = try? JSONDecoder().decode(MSALWebSignInRequest.self, from: Data(input)) else { return }
            // The script has no response to a token request, so an accepted request ends there.
            let error = try await tokenFailure { _ = try await story.application.acquireToken(response, for: read) }
            #expect(error != nil)
        }
    }
}
