// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// The settings of native authentication in a directory file and at the control API.
struct NativeSettingsTests {
    static let file = """
        tenants:
          - domain: fabrikam.example
            kind: external
        defaultPassword: Pa55-word!
        native:
          codeLength: 6
          unfinishedPolls: 0
          v2:
            tokenName: both
            entryStatus: 200
            registrationWords: {offer: register}
            attributesRequested:
              - name: city
                pattern: "[A-Z].*"
        users:
          - userPrincipalName: ada@fabrikam.example
            customer:
              credential: emailCode
              v2:
                tokenName: snake
          - userPrincipalName: web@fabrikam.example
            customer:
              v2: {fallback: state}
        applications:
          - clientId: 00000000-0000-4000-8000-000000000001
            nativeAuthentication:
              v2:
                entryNames: hal
        """

    @Test func `a directory file sets branches globally, for an application and for a customer`() async throws {
        let directory = try EmulatorDirectory(text: Self.file)
        try await FlowApp.run({ $0.directory = directory }) { app in
            var app = app
            app.tenant = "fabrikam.example"
            let entry = try await app.enter()
            let offered = try await app.follow("signIn", of: entry, adding: ["username": "ada@fabrikam.example"])
            let sent = try await app.follow("challenge", of: offered, method: "email")
            let web = try await app.follow(
                "signIn",
                of: app.enter(),
                adding: ["username": "web@fabrikam.example"]
            )

            #expect(entry.status == 200)
            #expect(try entry.json()["_links"] != nil)
            #expect(try Set(offered.json().keys).isDisjoint(with: ["continuationToken"]))
            #expect(try sent.json()["codeLength"] as? Int == 6)
            #expect(try app.code("ada@fabrikam.example").count == 6)
            #expect(try web.state() == "webFallbackRequired")
        }
    }

    @Test(arguments: EmulatorDirectory.FileFormat.allCases)
    func `settings are exported and read again`(format: EmulatorDirectory.FileFormat) async throws {
        let directory = try EmulatorDirectory(text: Self.file)
        let text = try directory.text(as: format, withSecrets: true)

        #expect(directory.native?.codeLength == 6)
        #expect(directory.native?.v2.registrationWords == .init(offer: .register))
        #expect(try EmulatorDirectory(text: text) == directory, "\(text)")
    }

    @Test(
        arguments: [
            ("codeLength: 0", "native.codeLength"), ("v2: {tokenName: snak}", "did you mean 'snake'?"),
            ("v2: {entryStatus: 500}", "must be one of 200, 401"),
            ("v2: {isEnable: true}", "did you mean 'isEnabled'?"),
            ("v2: {hostileLink: {relation: dance, address: x}}", "native.v2.hostileLink.relation"),
            (
                "v2: {firstFactors: [email, a/b]}",
                "use only letters, digits, dots, hyphens, and underscores in the type of a method"
            ),
            (#"v2: {attributesRequested: [{name: a, pattern: "["}]}"#, "regular expression"),
        ]
    )
    func `a setting that cannot be used is named`(setting: String, words: String) throws {
        let text = "tenants: [{domain: a.example}]\nnative:\n  \(setting)\n"
        let failure = #expect(throws: EmulatorDirectory.InvalidFile.self) { try EmulatorDirectory(text: text) }

        #expect(failure?.description.contains(words) == true, "\(failure?.description ?? "")")
    }

    @Test func `settings of a configuration that cannot be used keep an emulator from its start`() async throws {
        await #expect(throws: EmulatorDirectory.InvalidEntry.self) {
            try await FlowApp.run(with: { $0.secondFactors = ["no segment"] }) { _ in }
        }
    }

    @Test func `changes at the same time are all kept`() async throws {
        try await FlowApp.run { app in
            let emulator = app.emulator
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask { try await emulator.changeNativeAuth { $0.wrongPasswordsAllowed += 1 } }
                }
                try await group.waitForAll()
            }

            #expect(emulator.nativeAuth.wrongPasswordsAllowed == 30)
        }
    }

    // MARK: The control API

    private func control(
        _ bench: Bench,
        _ method: HTTPMethod,
        _ path: String,
        _ body: String? = nil
    ) async throws -> Bench.Response {
        let port = try #require(bench.emulator.controlPort)
        let token = try #require(bench.emulator.controlToken)
        return try await bench.send(
            method,
            to: "https://localhost:\(port)\(path)",
            headers: ["authorization": "Bearer \(token)"],
            body: body
        )
    }

    @Test func `the control API shows the settings with their values, and changes some of them`() async throws {
        try await FlowApp.run({ $0.controlPort = 0 }) { app in
            let before = try await control(app.bench, .GET, "/native").json()
            let changed = try await control(
                app.bench,
                .PATCH,
                "/native",
                #"{"codeLength": 6, "v2": {"riskCheck": "pass", "registrationWords": {"check": "verify"}}}"#
            ).json()
            let more = try await control(
                app.bench,
                .PATCH,
                "/native",
                #"{"v2": {"riskCheck": null, "polls": "hangs"}}"#
            )
            .json()
            let v2 = try #require(more["v2"] as? [String: Any])
            let offered = try await app.start("sign_in", as: "code@fabrikam.example")
            let sent = try await app.follow("challenge", of: offered, method: "email")
            try await app.emulator.reset()
            let after = try await control(app.bench, .GET, "/native").json()

            #expect(before["codeLength"] as? Int == 8)
            #expect(before["codeLifetime"] as? Int == 600)
            #expect((before["v2"] as? [String: Any])?["riskCheck"] as? String == "none")
            #expect((before["v2"] as? [String: Any])?["entryStatus"] as? Int == 401)
            #expect((changed["v2"] as? [String: Any])?["riskCheck"] as? String == "pass")
            #expect(v2["riskCheck"] as? String == "none")
            #expect(v2["polls"] as? String == "hangs")
            #expect((v2["registrationWords"] as? [String: Any])?["check"] as? String == "verify")
            #expect(more["codeLength"] as? Int == 6)
            #expect(try sent.json()["codeLength"] as? Int == 6)
            #expect(after["codeLength"] as? Int == 8)
        }
    }

    @Test func `what holds from now on holds for flows under way`() async throws {
        try await FlowApp.run({ $0.controlPort = 0 }) { app in
            let asked = try await app.start("sign_in", as: "password@fabrikam.example")
            _ = try await control(
                app.bench,
                .PATCH,
                "/native",
                #"{"v2": {"fallback": "state", "fallbackStep": "afterFirst"}}"#
            )
            let response = try await app.follow("verify", of: asked, adding: ["password": FlowApp.password])

            #expect(try response.state() == "webFallbackRequired")
        }
    }

    @Test func `branches of a customer and of an application are changed with these`() async throws {
        try await FlowApp.run({ $0.controlPort = 0 }) { app in
            let user = try await control(
                app.bench,
                .PATCH,
                "/users/password@fabrikam.example",
                #"{"customer": {"v2": {"tokenName": "snake"}}}"#
            )
            let application = try await control(
                app.bench,
                .PATCH,
                "/applications/\(app.clientID)",
                #"{"nativeAuthentication": {"v2": {"entryStatus": 200}}}"#
            )
            let entry = try await app.enter()
            let asked = try await app.follow("sign_in", of: entry, adding: ["username": "password@fabrikam.example"])

            #expect(user.status == 200)
            #expect(application.status == 200)
            #expect(entry.status == 200)
            #expect(try asked.json()["continuation_token"] is String)
        }
    }

    @Test(
        arguments: [
            (#"{"codeLength": 0}"#, "codeLength"), (#"{"v2": {"linkStyle": "elsewhere"}}"#, "linkStyle"),
            (#"{"v3": {}}"#, "v3"), ("[]", "object"),
        ]
    )
    func `a change that is not allowed names the member, and changes nothing`(body: String, words: String) async throws
    {
        try await FlowApp.run({ $0.controlPort = 0 }) { app in
            let refused = try await control(app.bench, .PATCH, "/native", body)
            let wrong = try await control(app.bench, .DELETE, "/native")
            let now = try await control(app.bench, .GET, "/native").json()

            #expect(refused.status == 400)
            #expect((try refused.json()["error_description"] as? String)?.contains(words) == true, "\(refused.text)")
            #expect(wrong.status == 405)
            #expect(now["codeLength"] as? Int == 8)
        }
    }

    @Test func `what the control API changed is kept in a data folder until a reset`() async throws {
        let data = Bench.stateDirectory.appendingPathComponent("data-\(UUID().uuidString)")
        try await FlowApp.run({ $0.dataDirectory = data }) { app in
            try await app.emulator.changeNativeAuth { $0.v2.entryStatus = .ok }
        }
        try await FlowApp.run({ $0.dataDirectory = data }) { app in
            let kept = try await app.enter()
            try await app.emulator.reset()
            let usual = try await app.enter()

            #expect(kept.status == 200)
            #expect(usual.status == 401)
        }
    }
}
