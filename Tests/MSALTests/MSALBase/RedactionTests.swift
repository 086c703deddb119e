// Licensed under the MIT License. See LICENSE.

import Foundation
import Testing

@testable import MSAL
@testable import MSALBase
@testable import MSALCore

/// Values that contain secrets, printed in every form.
struct RedactionTests {
    private static let secret = "e5v3-secret"

    private static let holders: [any Sendable] = [
        Secret(secret),
        message,
        HTTPResponse(status: 200, headers: ["Set-Cookie": secret], body: Data(secret.utf8)),
        form,
        LoopbackRules.Request(method: "POST", target: "/?code=\(secret)", host: nil, body: Data(secret.utf8)),
        LoopbackRules.Verdict.accept(["code": secret]),
        MSALNativeAuthTokenResult(
            accessToken: Secret(secret),
            refreshToken: Secret(secret),
            scopes: ["User.Read"],
            expiresOn: nil
        ),
    ]

    private static var message: HTTPMessage? {
        guard let address = HTTPAddress("https://login.example/path?code=\(secret)") else { return nil }
        return HTTPMessage(
            method: "POST",
            to: address,
            headers: ["Authorization": secret],
            body: Data(secret.utf8)
        )
    }

    private static var form: FormBody {
        var form = FormBody()
        form.set("password", to: secret)
        return form
    }

    @Test(arguments: holders.indices)
    func `no form of printing shows the secret`(_ index: Int) {
        let holder = Self.holders[index]

        var dumped = ""
        dump(holder, to: &dumped)
        dump([holder], to: &dumped)

        for printed in [dumped, "\(holder)", String(reflecting: holder), "\([holder])"] {
            #expect(!printed.contains(Self.secret))
        }
    }

    @Test func `a form prints the names of its parameters`() {
        #expect("\(Self.form)" == "FormBody(password)")
    }

    @Test func `the tokens of a native result are available to the app`() {
        let result = MSALNativeAuthTokenResult(
            accessToken: Secret("access"),
            refreshToken: Secret("refresh"),
            scopes: [],
            expiresOn: nil
        )

        #expect(result.accessToken == "access")
        #expect(result.refreshToken == "refresh")
    }
}
