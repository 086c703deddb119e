// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// Sign-ins that an administrator ends.
struct RevocationTests {
    @Test(arguments: ["/v1.0/me", "/api/todos"])
    func `an app with the capability gets a claims challenge`(path: String) async throws {
        try await Bench.run {
            for index in $0.directory.apis.indices { $0.directory.apis[index].optionalClaims.append("xms_cc") }
        } _: { bench in
            let scope = path == "/v1.0/me" ? "User.Read offline_access" : bench.emulator.seed.toDoReadScope
            let tokens = try await bench.tokens(["claims": Bench.capable, "scope": scope])
            let token = try #require(tokens["access_token"] as? String)
            let before = try await bench.get(path, token: token)
            try await bench.emulator.revokeSignIns(of: "megan@contoso.example")
            let after = try await bench.get(path, token: token)
            let challenge = try #require(after.headers.first(name: "www-authenticate"))
            let encoded = try #require(challenge.components(separatedBy: "claims=\"").last?.dropLast())
            let claims = try JSONSerialization.jsonObject(with: try #require(Data(base64Encoded: String(encoded))))
            let demand = (claims as? [String: [String: [String: Any]]])?["access_token"]?["nbf"]

            #expect(before.status == 200)
            #expect(after.status == 401)
            #expect(challenge.contains("error=\"insufficient_claims\""))
            #expect(demand?["essential"] as? Bool == true)
        }
    }

    @Test func `an access token of another app is accepted until it expires, unlike the refresh token and the session`()
        async throws
    {
        try await Bench.run { bench in
            let browser = Browser(bench)
            let code = try await browser.signIn(bench.authorizeURL()).parameters["code"]
            let tokens = try await bench.redeem(try #require(code)).json()
            let known = try await browser.open(bench.authorizeURL(changing: ["prompt": "none"]))
            try await bench.emulator.revokeSignIns(of: "megan@contoso.example")
            let me = try await bench.get("/v1.0/me", token: tokens["access_token"] as? String)
            let refresh = try await bench.refresh(try #require(tokens["refresh_token"] as? String))
            let forgotten = try await browser.open(bench.authorizeURL(changing: ["prompt": "none"]))

            #expect(me.status == 200)
            #expect(try refresh.errorCode() == 50_173)
            #expect(known.parameters["code"] != nil)
            #expect(forgotten.parameters["error"] == "login_required")
            #expect(try await bench.emulator.revokeSignIns(of: "nobody@contoso.example") == false)
        }
    }

    @Test(arguments: [true, false])
    func `a new password or a disabled account also leads to a challenge, if the app handles one`(
        isCapable: Bool
    )
        async throws
    {
        for change in ["password", "isEnabled"] {
            try await Bench.run({ $0.controlPort = 0 }) { bench in
                let tokens = try await bench.tokens(isCapable ? ["claims": Bench.capable] : [:])
                await bench.emulator.advanceClock(by: .seconds(2))
                _ = try await ControlPort(bench).call(
                    .PATCH,
                    "/users/megan@contoso.example",
                    change == "password" ? ["password": "Brand-new-1"] : ["isEnabled": false]
                )
                let me = try await bench.get("/v1.0/me", token: tokens["access_token"] as? String)

                #expect(me.status == (isCapable ? 401 : 200))
                #expect(
                    me.headers.first(name: "www-authenticate")?.contains("insufficient_claims") ?? false == isCapable
                )
            }
        }
    }
}
