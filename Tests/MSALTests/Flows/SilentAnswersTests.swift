// Licensed under the MIT License. See LICENSE.

import Foundation
import Testing

@testable import MSAL

@Suite struct SilentAnswersTests {
    private let answers = SilentAnswers()

    private func place(
        username: String? = "alice@contoso.example",
        authority: Authority? = nil,
        keyID: String? = nil,
        counter: Int64 = 1
    ) -> SilentAnswers.Place {
        let key = SilentAnswers.Key(
            account: AccountReference(homeAccountID: Sample.alice, username: username),
            scopes: ScopeSet(["user.read"]),
            authority: authority,
            isAuthorityValidated: true,
            keyID: keyID
        )
        return SilentAnswers.Place(key: key, counter: counter)
    }

    private func remember(_ secret: String, at place: SilentAnswers.Place) {
        let token = Sample.accessToken(secret)
        let result = TokenResult(
            accessToken: token.secret,
            tokenType: "Bearer",
            expiresOn: token.expiresOn,
            scopes: token.scopes,
            holder: TokenHolder(
                account: AccountSnapshot(homeAccountID: Sample.alice, username: "", environment: Sample.environment),
                tenantProfile: TenantProfileSnapshot(environment: Sample.environment, isHome: true),
                authority: .default
            ),
            correlationID: .random(),
            source: .cache
        )
        answers.remember(result, token.life, at: place)
    }

    private func secret(at place: SilentAnswers.Place) -> String? {
        answers.answer(at: place)?.result(correlationID: .random()).accessToken.exposed
    }

    @Test func anAnswerIsGoodForOneStateOfTheStore() {
        remember("first", at: place())
        #expect(secret(at: place()) == "first")
        #expect(secret(at: place(counter: 2)) == nil)
        remember("second", at: place(counter: 2))
        #expect(secret(at: place(counter: 2)) == "second")
        #expect(secret(at: place()) == nil)
    }

    /// User names are not hashed: both requests have one place in the table.
    @Test func aRequestWithTheSameHashGetsNoAnswerOfAnother() {
        let (alice, bob) = (place(), place(username: "bob@contoso.example"))
        #expect(alice.key.hashValue == bob.key.hashValue)
        remember("alice's", at: alice)
        #expect(secret(at: bob) == nil)
        remember("bob's", at: bob)
        #expect(secret(at: bob) == "bob's")
        #expect(secret(at: alice) == nil)
    }

    @Test func answersOfOneAccountStandSideBySide() throws {
        let authority = try Authority.make(.aad, "login.microsoftonline.com", "/\(Sample.tenant)")
        let places = [place(), place(authority: authority), place(keyID: "key")]
        for (number, place) in places.enumerated() { remember("\(number)", at: place) }
        #expect(places.map(secret(at:)) == ["0", "1", "2"])
    }

    @Test func whatTokensHaveInCommonIsKeptOnce() {
        let places = [place(), place(keyID: "key")]
        for place in places { remember("token", at: place) }
        let holders = places.compactMap { answers.answer(at: $0)?.result(correlationID: .random()).holder }
        #expect(holders.count == 2)
        #expect(holders.first === holders.last)
    }

    @Test func aResultHasTheIDOfItsOwnRequest() {
        remember("token", at: place())
        let id = UUID.random()
        #expect(answers.answer(at: place())?.result(correlationID: id).correlationID == id)
    }
}
