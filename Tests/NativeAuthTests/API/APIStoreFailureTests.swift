// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import TestSupport
import Testing

@Suite("Native authentication on a store that refuses", .timeLimit(.minutes(1)))
struct APIStoreFailureTests {
    private let store = StubbornStore()

    private func signIn(_ script: NativeScript) async throws -> MSALNativeAuthUserAccountResult {
        let parameters = MSALNativeAuthSignInParameters(username: "lee@contoso.com")
        parameters.password = "secret"
        guard case .completed(let user) = try await script.application.signIn(parameters: parameters) else {
            throw Unexpected()
        }
        return user
    }

    @Test func `a user who was stored is persisted, and so is the one read back`() async throws {
        let script = try NativeScript(.started("ct-1"), .password("ct-2"), .tokens(), store: store)

        let user = try await signIn(script)

        #expect(user.isPersisted)
        #expect(script.application.getNativeAuthUserAccount()?.isPersisted == true)
    }

    @Test func `a user who could not be stored is signed in, and says so`() async throws {
        let script = try NativeScript(.started("ct-1"), .password("ct-2"), .tokens(), store: store)
        store.refuse(writing: true)

        let user = try await signIn(script)

        #expect(user.account.username == "lee@contoso.com")
        #expect(!user.isPersisted)
    }

    @Test func `a token that could not be stored is reported, and one from the store changes nothing`() async throws {
        let script = try NativeScript(
            .started("ct-1"),
            .password("ct-2"),
            .tokens(),
            .metadata,
            .tokens(access: "for-todo", scope: "api://todo/Read"),
            .tokens(access: "for-mail", scope: "api://mail/Read"),
            store: store
        )
        let user = try await signIn(script)
        _ = try await user.getAccessToken(scopes: ["api://todo/Read"])
        #expect(user.isPersisted)
        store.refuse(writing: true)

        _ = try await user.getAccessToken(scopes: ["api://mail/Read"])
        #expect(!user.isPersisted)
        _ = try await user.getAccessToken(scopes: ["api://todo/Read"])
        #expect(!user.isPersisted)
    }

    @Test(arguments: [false, true])
    func `a token that was obtained is not lost for a refresh token that cannot be read`(_ isWanted: Bool) async throws
    {
        let store = store
        let renewal = ScriptedTransport.Response.tokens(access: "for-todo", scope: "api://todo/Read") {
            store.refuse(reading: true, writing: true)
        }
        let script = try NativeScript(
            .started("ct-1"),
            .password("ct-2"),
            .tokens(),
            .metadata,
            renewal,
            store: store
        )
        let user = try await signIn(script)
        let parameters = MSALNativeAuthGetAccessTokenParameters()
        parameters.scopes = ["api://todo/Read"]
        parameters.returnRefreshToken = isWanted

        let token = try await user.getAccessToken(parameters: parameters)

        #expect(token.accessToken == "for-todo")
        #expect(token.refreshToken == nil)
    }
}
