// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALServer
import TestSupport
import Testing

/// Tokens whose claims imitate others.
struct HostileTokenTests {
    private static let customers = "https://contoso.b2clogin.com/\(TestIssuer.tenant)/B2C_1_susi"
    private static let external = "https://contoso.ciamlogin.com/\(TestIssuer.tenant)"

    private func api(
        _ base: String,
        _ change: (inout MSALTokenValidatorConfiguration) -> Void = { _ in }
    ) throws -> APIServer {
        let api = try APIServer {
            $0.authority = .url(base)
            change(&$0)
        }
        let metadata: JSONValue = .object([
            "issuer": .string("\(base)/v2.0"), "jwks_uri": .string("\(base)/discovery/v2.0/keys"),
            "authorization_endpoint": .string("\(base)/x"), "token_endpoint": .string("\(base)/x"),
        ])
        api.issuer.serve(metadata: .response(HTTPResponse(status: 200, body: Data(metadata.text.utf8))))
        return api
    }

    private func principal(
        _ claims: [String: JSONValue?],
        header: [String: JSONValue] = [:],
        at api: APIServer,
        requiring requirement: MSALRequirement = .anyPermission
    ) async throws -> MSALPrincipal {
        try await api.validator.validate(
            authorization: ["Bearer \(try api.token(claims, header: header))"],
            request: MSALRequestFacts(),
            requiring: requirement
        )
    }

    private func code(
        _ claims: [String: JSONValue?],
        header: [String: JSONValue] = [:],
        at api: APIServer,
        requiring requirement: MSALRequirement = .anyPermission
    ) async throws -> MSALTokenRejection.Code? {
        do {
            _ = try await principal(claims, header: header, at: api, requiring: requirement)
            return nil
        } catch let rejection as MSALTokenRejection {
            return rejection.code
        }
    }

    // MARK: The type of caller

    /// A token without scopes in which the object ID is the subject.
    private func shape(_ issuer: String, _ changes: [String: JSONValue?] = [:]) -> [String: JSONValue?] {
        let shape: [String: JSONValue?] = [
            "iss": .string("\(issuer)/v2.0"), "scp": nil, "sub": .string("person"),
            "roles": .array([.string("Orders.Process")]),
        ]
        return shape.merging(changes) { _, own in own }
    }

    @Test func `a B2C token without idtyp and scopes is neither a user's nor an application's`() async throws {
        let api = try api(Self.customers)
        let claims = shape(Self.customers, ["ver": .string("1.0")])

        #expect(try await principal(claims, at: api).kind == .unknown)
        for requirement in [
            MSALRequirement.applicationRole("Orders.Process"), .userRole("Orders.Process"), .scope("Orders.Read"),
        ] {
            #expect(try await code(claims, at: api, requiring: requirement) == .wrongTokenKind)
        }
    }

    @Test func `a B2C token with idtyp app is an application's, with scopes too`() async throws {
        let api = try api(Self.customers)
        for scope: JSONValue? in [nil, .string("Orders.Read")] {
            let claims = shape(Self.customers, ["idtyp": .string("app"), "scp": scope])

            #expect(try await principal(claims, at: api).kind == .application)
            #expect(try await code(claims, at: api, requiring: .scope("Orders.Read")) == .wrongTokenKind)
        }
    }

    @Test func `an External ID token of an application's shape is an application's`() async throws {
        let api = try api(Self.external)

        #expect(try await principal(shape(Self.external), at: api).kind == .application)
        #expect(try await principal(shape(Self.external, ["sub": .string("pairwise")]), at: api).kind == .unknown)
    }

    @Test func `appid names the client only in version 1 tokens of Entra`() async throws {
        let api = try api(Self.customers) { $0.clients = ["app"] }
        let issuer = JSONValue.string("\(Self.customers)/v2.0")
        let other: [String: JSONValue?] = [
            "iss": issuer, "ver": .string("1.0"), "azp": .string("other"), "appid": .string("app"),
        ]

        #expect(try await code(other, at: api) == .clientNotAllowed)
        #expect(try await code(["iss": issuer, "ver": .string("1.0"), "appid": .string("x")], at: api) == nil)
        #expect(try await code(["iss": issuer, "azp": nil, "appid": .string("app")], at: api) == .notAnAccessToken)
    }

    // MARK: Canonically equivalent text

    @Test(
        arguments: [
            MSALRequirement.scope("Orders.Keep"), .userRole("Keeper"), .authenticationContext("cK"),
        ]
    )
    func `a permission with the Kelvin sign is not the one with the letter K`(
        _ requirement: MSALRequirement
    )
        async throws
    {
        let api = try APIServer()
        func claims(_ letter: String) -> [String: JSONValue?] {
            [
                "scp": .string("Orders.\(letter)eep"), "roles": .array([.string("\(letter)eeper")]),
                "acrs": .array([.string("c\(letter)")]),
            ]
        }

        #expect(try await code(claims("K"), at: api, requiring: requirement) == nil)
        // The memory of validated tokens must not confuse them either.
        for _ in 0..<2 { #expect(try await code(claims("\u{212A}"), at: api, requiring: requirement) != nil) }
    }

    @Test func `an audience or a client with the Kelvin sign is not the one with the letter K`() async throws {
        let api = try APIServer {
            $0.audiences = ["https://api.contoso.example/K"]
            $0.clients = ["appk"]
        }
        let audience = JSONValue.string("https://api.contoso.example/K")

        #expect(try await code(["aud": audience, "azp": .string("appK")], at: api) == nil)
        #expect(try await code(["aud": audience, "azp": .string("app\u{212A}")], at: api) == .clientNotAllowed)
        let other = JSONValue.string("https://api.contoso.example/\u{212A}")
        #expect(try await code(["aud": other, "azp": .string("appK")], at: api) == .invalidAudience)
    }

    @Test func `an issuer with the Kelvin sign is not the one with the letter K`() async throws {
        let base = "https://contoso.b2clogin.com/\(TestIssuer.tenant)/B2C_1_K"
        let api = try api(base)

        #expect(try await code(["iss": .string("\(base)/v2.0")], at: api) == nil)
        let other = base.replacing("B2C_1_K", with: "B2C_1_\u{212A}")
        #expect(try await code(["iss": .string("\(other)/v2.0")], at: api) == .invalidIssuer)
        #expect(try await code(["iss": .string("\(base)/v2.0"), "tid": .string("K")], at: api) == .invalidTenant)
    }

    @Test func `scopes are separated by the byte of the space`() async throws {
        let scopes = try await principal(["scp": .string("One \u{301}Two")], at: try APIServer()).scopes

        #expect(scopes == ["One", "\u{301}Two"])
    }

    // MARK: Null

    @Test(arguments: ["nonce", "tid", "roles", "scp", "cnf", "nbf", "iat", "oid", "idtyp", "azp", "xms_cc"])
    func `a claim that is null is malformed`(_ name: String) async throws {
        #expect(try await code([name: .some(.null)], at: try APIServer()) == .malformedToken)
    }

    @Test func `a header parameter that is null is malformed, and a foreign claim is not`() async throws {
        let api = try APIServer()

        for name in ["typ", "kid", "crit"] {
            #expect(try await code([:], header: [name: .null], at: api) == .malformedToken)
        }
        #expect(try await code(["foreign": .some(.null)], at: api) == nil)
    }

    // MARK: Audiences and types

    @Test func `a version 1 token may name each address of the API with and without a final slash`() async throws {
        let api = try APIServer {
            $0.applicationIdUri = "https://orders.contoso.example/"
            $0.audiences = ["https://api.contoso.example"]
        }
        func code(_ audience: String, version: String) async throws -> MSALTokenRejection.Code? {
            try await self.code(
                [
                    "aud": .string(audience), "ver": .string(version), "appid": .string("app"),
                    "iss": .string("https://\(TestIssuer.host)/\(TestIssuer.tenant)/v2.0"),
                ],
                at: api
            )
        }

        for uri in ["api://\(TestIssuer.client)", "https://orders.contoso.example", "https://api.contoso.example"] {
            #expect(try await code(uri, version: "1.0") == nil)
            #expect(try await code("\(uri)/", version: "1.0") == nil)
            #expect(try await code("\(uri)//", version: "1.0") == .invalidAudience)
        }
        #expect(try await code(TestIssuer.client, version: "1.0") == nil)
        #expect(try await code("\(TestIssuer.client)/", version: "1.0") == .invalidAudience)
        #expect(try await code(TestIssuer.client, version: "2.0") == nil)
        #expect(try await code("https://api.contoso.example", version: "2.0") == nil)
        for uri in ["https://api.contoso.example/", "https://orders.contoso.example/", "api://\(TestIssuer.client)"] {
            #expect(try await code(uri, version: "2.0") == .invalidAudience)
        }
    }

    @Test(
        arguments: [
            ("application/at+jwt", true), ("Application/JWT", true), ("AT+JWT", true), ("text/jwt", false),
            ("application/", false), ("application/dpop+jwt", false), ("application/application/jwt", false),
        ]
    )
    func `the type of a token may be written as a media type`(_ type: String, isAccepted: Bool) async throws {
        let code = try await code([:], header: ["typ": .string(type)], at: try APIServer())

        #expect(code == (isAccepted ? nil : .wrongTokenType))
    }
}
