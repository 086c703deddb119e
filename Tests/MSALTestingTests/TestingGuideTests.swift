// Licensed under the MIT License. See LICENSE.

import MSAL
import MSALTesting
import Testing

final class StubApplication: MSALPublicClientApplication, @unchecked Sendable {
    override func acquireTokenSilent(with parameters: MSALSilentTokenParameters) async throws -> MSALResult {
        throw NSError.msal(.interactionRequired)
    }

    override func acquireToken(with parameters: MSALInteractiveTokenParameters) async throws -> MSALResult {
        let megan = MSALAccount(username: "megan@contoso.com", claims: ["name": "Megan Bowen"])
        return MSALResult(accessToken: "a token", account: megan, parameters: parameters)
    }
}

@Test func `a user whose sign-in has ended is asked again`() async throws {
    let inbox = Inbox(application: StubApplication())
    let header = try await inbox.authorization(of: MSALAccount(username: "megan@contoso.com"))
    #expect(header == "Bearer a token")
}

struct Inbox {
    let application: MSALPublicClientApplication

    func authorization(of account: MSALAccount) async throws -> String {
        do {
            let silent = MSALSilentTokenParameters(scopes: ["Mail.Read"], account: account)
            return try await application.acquireTokenSilent(with: silent).authorizationHeader
        } catch let error as NSError where error.code == MSALError.interactionRequired.rawValue {
            let parameters = MSALInteractiveTokenParameters(scopes: ["Mail.Read"])
            return try await application.acquireToken(with: parameters).authorizationHeader
        }
    }
}

@Test func `the guide shows the code that is run here`() throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent()
    let code = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
    let page = tests.appending(path: "../../docs/TestingYourApp.md").standardized
    // The end-to-end tests run the code of the section after this mark.
    let parts = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "<a id=\"with-a-sign-in\">")
    try #require(parts.count == 2)
    let blocks = parts[0].matches(of: #/(?s)```swift\n(.*?)```/#).map { String($0.output.1) }

    #expect(blocks.count == 2)
    for block in blocks { #expect(code.contains(block), "not run here:\n\(block)") }
}
