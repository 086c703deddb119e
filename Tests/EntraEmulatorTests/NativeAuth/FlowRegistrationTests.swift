// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import Testing

struct FlowRegistrationTests {
    static let user = "register-v2@fabrikam.example"
    static let telephone = "+15550177"

    @Test func `a telephone is registered, and is the second factor from then on`() async throws {
        try await FlowApp.run { app in
            let offered = try await app.signIn(Self.user)
            let sent = try await app.follow("enroll", of: offered, method: "sms", adding: ["target": Self.telephone])
            let wrong = try await app.follow("activate", of: sent, adding: ["code": "wrong"])
            let again = try await app.follow("resend", of: sent)
            let done = try await app.follow("activate", of: again, adding: ["code": app.code(Self.telephone)])
            let tokens = try await app.tokens(done)
            let next = try await app.signIn(Self.user)

            #expect(try offered.action() == "enroll")
            #expect(try offered.types() == ["sms", "email"])
            #expect(try offered.methods().map { $0["hint"] as? String } == [nil, "r***2@fa******.example"])
            #expect(try sent.action() == "activate")
            #expect(try sent.json()["hint"] as? String == "*******77")
            #expect(try sent.json()["codeLength"] as? Int == 8)
            #expect(app.emulator.outbox.last?.purpose == .registration)
            #expect(try wrong.flowFailure() == .wrongCode)
            #expect(tokens["access_token"] is String)
            #expect(try next.factor() == "multiFactor")
            #expect(try next.types() == ["sms"])
        }
    }

    @Test func `without a contact, the own address is registered; with one, another`() async throws {
        try await FlowApp.run { app in
            let known = try await app.follow("enroll", of: app.signIn(Self.user), method: "email")
            let other = try await app.follow(
                "enroll",
                of: app.signIn(Self.user),
                method: "email",
                adding: ["target": "other@fabrikam.example"]
            )

            #expect(try known.json()["hint"] as? String == "r***2@fa******.example")
            #expect(try other.json()["hint"] as? String == "o***r@fa******.example")
            #expect(app.emulator.outbox.map(\.recipient) == [Self.user, "other@fabrikam.example"])
        }
    }

    @Test func `the own address can need no code`() async throws {
        try await FlowApp.run(with: { $0.registrationWords = .init(knownContactNeedsCode: false) }) { app in
            let done = try await app.follow("enroll", of: app.signIn(Self.user), method: "email")

            #expect(try done.state() == "continue")
            #expect(app.emulator.outbox.isEmpty)
        }
    }

    @Test func `the members of a registration can have other names`() async throws {
        try await FlowApp.run(with: { $0.registrationWords = .init(offer: .register, check: .verify) }) { app in
            let offered = try await app.signIn(Self.user)
            let sent = try await app.follow("register", of: offered, method: "sms", adding: ["target": Self.telephone])
            let done = try await app.verify(sent, Self.telephone)

            #expect(try offered.action() == "register")
            #expect(try sent.action() == "verify")
            #expect(try done.state() == "continue")
        }
    }

    @Test func `a telephone that is registered can have to pass a risk check`() async throws {
        try await FlowApp.run(with: { $0.riskCheck = .pass }) { app in
            let checked = try await app.follow(
                "enroll",
                of: app.signIn(Self.user),
                method: "sms",
                adding: ["target": Self.telephone]
            )
            let sent = try await app.follow("riskverify", of: checked)
            let done = try await app.follow("activate", of: sent, adding: ["code": app.code(Self.telephone)])

            #expect(try checked.action() == "riskverify")
            #expect(try done.state() == "continue")
        }
    }

    @Test(
        arguments: [
            ("sms", "+15550199", FlowFailure.blocked), ("email", "somebody@blocked.example", .blocked),
            ("sms", "nonsense", FlowFailure("invalidRequest", "invalidInput", number: 901_001)),
            ("sms", nil, FlowFailure("invalidRequest", "invalidInput", number: 901_001)),
        ]
    )
    func `a contact that cannot be used is refused, and another one is taken`(
        type: String,
        contact: String?,
        expected: FlowFailure
    ) async throws {
        try await FlowApp.run { app in
            let offered = try await app.signIn(Self.user)
            let refused = try await app.follow(
                "enroll",
                of: offered,
                method: type,
                adding: contact.map { ["target": $0] } ?? [:]
            )
            let sent = try await app.follow("enroll", of: offered, method: "sms", adding: ["target": Self.telephone])

            #expect(try refused.flowFailure() == expected)
            #expect(try sent.action() == "activate")
        }
    }

    @Test func `a registration inside a sign-up belongs to the account that it makes`() async throws {
        try await FlowApp.run { app in
            var app = app
            app.clientID = app.emulator.seed.secondFactorClientID
            let user = "new@customer.example"
            let asked = try await app.prove(app.start("sign_up", as: user), by: "email", to: user)
            let offered = try await app.follow(
                "submitAttributes",
                of: asked,
                adding: ["attributes": ["password": "Gr8-secret!"]]
            )
            let sent = try await app.follow("enroll", of: offered, method: "sms", adding: ["target": Self.telephone])
            let before = try await app.emulator.directory().users.contains { $0.userPrincipalName == user }
            let done = try await app.follow("activate", of: sent, adding: ["code": app.code(Self.telephone)])
            let tokens = try await app.tokens(done)
            let account = try await app.emulator.directory().users.first { $0.userPrincipalName == user }

            #expect(try offered.action() == "enroll")
            #expect(!before)
            #expect(tokens["access_token"] is String)
            #expect(account?.customer?.strongMethods.map(\.address) == [Self.telephone])
        }
    }
}
