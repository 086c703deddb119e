// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// RFC 8628 from the device's side and from the person's.
struct DeviceCodeTests {
    private static let grantType = "urn:ietf:params:oauth:grant-type:device_code"

    private static func begin(_ bench: Bench, changing changes: [String: String] = [:]) async throws -> Bench.Response {
        try await bench.send(
            .POST,
            to: "/common/oauth2/v2.0/devicecode",
            form: ["client_id": bench.emulator.seed.clientID, "scope": "User.Read openid profile offline_access"]
                .merging(changes) { $1 }
        )
    }

    private static func poll(_ bench: Bench, code: String, client: String? = nil) async throws -> Bench.Response {
        try await bench.send(
            .POST,
            to: "/common/oauth2/v2.0/token",
            form: [
                "grant_type": grantType, "device_code": code, "client_id": client ?? bench.emulator.seed.clientID,
                "client_info": "1",
            ]
        )
    }

    @Test func `a person signs in elsewhere, and the device gets tokens once`() async throws {
        try await Bench.run { bench in
            let begun = try await Self.begin(bench).json()
            let code = try #require(begun["device_code"] as? String)
            let userCode = try #require(begun["user_code"] as? String)
            let address = try #require(begun["verification_uri"] as? String)
            let metadata = try await bench.get("/common/v2.0/.well-known/openid-configuration").json()
            let early = try await Self.poll(bench, code: code)
            let browser = Browser(bench)
            try await browser.open(address)
            let wrong = try await browser.submit(["otc": "AAAAAAAAA"])
            var page = try await browser.submit(["otc": userCode.lowercased()])
            for fields in [
                ["login": "megan@contoso.example", "action": "next"], ["passwd": "Pa55-word!", "action": "signin"],
                ["action": "no"], ["action": "accept"],
            ] { page = try await browser.submit(fields) }
            let tokens = try await Self.poll(bench, code: code)
            let again = try await Self.poll(bench, code: code)

            #expect(
                metadata["device_authorization_endpoint"] as? String == "\(bench.base)/common/oauth2/v2.0/devicecode"
            )
            #expect(begun["expires_in"] as? Int == 900)
            #expect(begun["interval"] as? Int == 5)
            #expect((begun["message"] as? String)?.contains(userCode) == true)
            #expect((begun["message"] as? String)?.contains(address) == true)
            #expect(try early.json()["error"] as? String == "authorization_pending")
            #expect(wrong.heading == "Enter code to allow access")
            #expect(page.heading == "You have signed in")
            #expect(
                try Bench.claims(tokens.json()["id_token"])["preferred_username"] as? String == "megan@contoso.example"
            )
            #expect(try again.json()["error"] as? String == "bad_verification_code")
        }
    }

    @Test func `a signed-in user must still confirm`() async throws {
        try await Bench.run { bench in
            let browser = Browser(bench)
            _ = try await browser.signIn(bench.authorizeURL())
            let begun = try await Self.begin(bench).json()
            try await browser.open(try #require(begun["verification_uri"] as? String))
            let page = try await browser.submit(["otc": try #require(begun["user_code"] as? String)])

            #expect(page.heading == "Pick an account")
        }
    }

    @Test func `when the person declines, the device gets an error`() async throws {
        try await Bench.run { bench in
            let begun = try await Self.begin(bench).json()
            let browser = Browser(bench)
            try await browser.open(try #require(begun["verification_uri"] as? String))
            try await browser.submit(["otc": try #require(begun["user_code"] as? String)])
            let page = try await browser.submit(["action": "cancel"])
            let response = try await Self.poll(bench, code: try #require(begun["device_code"] as? String))

            #expect(page.heading == "You declined to sign in")
            #expect(try response.json()["error"] as? String == "authorization_declined")
        }
    }

    @Test func `a device that polls too often is slowed down, more each time, until its user is done`() async throws {
        try await Bench.run { bench in
            let code = try #require(try await Self.begin(bench).json()["device_code"] as? String)
            func error(after seconds: Int) async throws -> String? {
                await bench.emulator.advanceClock(by: .seconds(seconds))
                return try await Self.poll(bench, code: code).json()["error"] as? String
            }

            #expect(try await error(after: 0) == "authorization_pending")
            #expect(try await error(after: 5) == "authorization_pending")
            #expect(try await error(after: 1) == "slow_down")
            #expect(try await error(after: 6) == "slow_down", "Ten seconds are wanted now.")
            #expect(try await error(after: 15) == "authorization_pending")
        }
    }

    @Test func `the grant has a short name, too`() async throws {
        try await Bench.run { bench in
            let code = try #require(try await Self.begin(bench).json()["device_code"] as? String)
            let response = try await bench.send(
                .POST,
                to: "/common/oauth2/v2.0/token",
                form: [
                    "grant_type": "device_code", "device_code": code, "client_id": bench.emulator.seed.clientID,
                ]
            )

            #expect(try response.json()["error"] as? String == "authorization_pending")
        }
    }

    @Test func `codes expire, and belong to their client`() async throws {
        try await Bench.run { bench in
            let begun = try await Self.begin(bench).json()
            let code = try #require(begun["device_code"] as? String)
            let foreign = try await Self.poll(bench, code: code, client: "Your_Application_Id_Here")
            await bench.emulator.advanceClock(by: .seconds(901))
            let late = try await Self.poll(bench, code: code)
            let browser = Browser(bench)
            try await browser.open(try #require(begun["verification_uri"] as? String))
            let page = try await browser.submit(["otc": try #require(begun["user_code"] as? String)])

            #expect(try foreign.json()["error"] as? String == "bad_verification_code")
            #expect(try late.json()["error"] as? String == "expired_token")
            #expect(page.heading == "Enter code to allow access")
        }
    }

    @Test(arguments: [(["client_id": "nobody"], 700_016), (["scope": "nonsense"], 70_011), (["scope": ""], 900_144)])
    func `an invalid request gets no code`(changes: [String: String], number: Int) async throws {
        try await Bench.run { bench in
            let response = try await Self.begin(bench, changing: changes)

            #expect(try response.errorCode() == number)
        }
    }
}
