// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import Testing

@testable import MSALServer

/// The content of the store before it is sealed: it is read as written, and rejected if altered.
struct SharedValueTests {
    static let tenant = "11111111-1111-1111-1111-111111111111"
    static let user = "22222222-2222-4222-8222-222222222222"
    static let scope = "https://graph.microsoft.com/User.Read"
    static let entry = ["token", tenant, scope.lowercased()]

    static var grant: SharedGrant {
        let claims: [String: MSALClaimValue] = [
            "oid": .string(user), "tid": .string(tenant), "name": .string("Mégan Bowen"), "iat": .integer(-1),
            "roles": .array([.string("a.b"), .null, .bool(true), .bool(false), .number(0.5)]),
            "https://contoso.example/claim": .object(["": .integer(.min), "x": .integer(.max)]),
        ]
        var grant = SharedGrant(
            user: TokenUser(homeAccountID: "\(user).\(tenant)", claims: claims),
            refreshToken: Secret("1.\(String(repeating: "rT-_", count: 100)).AQ")
        )
        let resource = SharedGrant.Resource(
            realm: tenant,
            asked: [scope.lowercased()],
            target: [scope.lowercased(), "openid"],
            bytes: 1000
        )
        _ = grant.keep(resource)
        return grant
    }

    static func token(at now: Int64) -> CachedAccessToken {
        CachedAccessToken(
            accessToken: Secret("eyJ0.\(String(repeating: "aT-_", count: 100)).c2ln"),
            binding: CachedAccessToken.Binding(type: "pop", keyID: "a key"),
            life: CachedAccessToken.Life(until: now + 3600, refreshAt: now + 1800, extendedExpiresAt: now + 7200),
            scopes: [scope, "openid"],
            tenant: tenant,
            correlationID: UUID(uuidString: "33333333-3333-4333-8333-333333333333")
        )
    }

    // MARK: - As written

    @Test func `a grant is read as it was written`() throws {
        let grant = Self.grant

        let read = try #require(SharedGrant(grant.bytes))

        #expect(read.user.homeAccountID == grant.user.homeAccountID)
        #expect(read.user.claims == grant.user.claims)
        #expect(read.refreshToken == grant.refreshToken)
        #expect(read.resources == grant.resources)
        #expect(read.bytes == grant.bytes)
    }

    @Test func `a token is read as it was written, with the age that the store reports`() throws {
        let token = Self.token(at: 1_000_000)
        let bytes = SharedToken.bytes(of: token, named: Self.entry, at: 1_000_000)

        // Ten minutes later, by a clock that the writer does not know.
        let read = try #require(
            SharedToken.token(bytes, named: Self.entry, remaining: .seconds(3000), of: nil, at: 5_000_000)
        )

        #expect(read.accessToken == token.accessToken)
        #expect(read.tokenType == "pop" && read.keyID == "a key")
        #expect(read.scopes == token.scopes && read.tenant == Self.tenant)
        #expect(read.correlationID == token.correlationID)
        #expect(read.expiresAt == 5_003_000 && read.refreshAt == 5_001_200 && read.extendedExpiresAt == 5_006_600)
    }

    @Test func `absent members of a token are absent afterwards`() throws {
        let token = CachedAccessToken(accessToken: Secret(""), life: CachedAccessToken.Life(until: 10), scopes: [])
        let bytes = SharedToken.bytes(of: token, named: [], at: 0)

        let read = try #require(SharedToken.token(bytes, named: [], remaining: .seconds(10), of: nil, at: 0))

        #expect(read.accessToken.exposed.isEmpty && read.tokenType == "Bearer" && read.scopes.isEmpty)
        #expect(read.refreshAt == nil && read.extendedExpiresAt == nil && read.keyID == nil && read.tenant == nil)
        #expect(read.correlationID == nil)
    }

    @Test(arguments: ["", ".", "..a.", "a", "a.a.a", "AQ", "AR", "Bearer.sub", "\u{1F4A3}.é", "q", "a=", "+/"])
    func `a text keeps its bytes`(_ text: String) throws {
        // The two é are equal texts.
        let texts = [text, "é", "e\u{301}", text]
        var writer = ValueWriter(knowing: ["q.AQ"])
        writer.write(texts: texts)
        var reader = ValueReader(writer.bytes, knowing: ["q.AQ"])

        let read = try reader.texts()

        #expect(read.map { Array($0.utf8) } == texts.map { Array($0.utf8) })
        #expect(reader.isAtEnd)
    }

    @Test(arguments: [0, 1, -1, 63, 64, -64, -65, 8191, .max, .min] as [Int64])
    func `a number keeps its value`(_ number: Int64) throws {
        var writer = ValueWriter()
        writer.write(signed: number)
        writer.write(number: UInt64(bitPattern: number))
        var reader = ValueReader(writer.bytes)

        #expect(try reader.signed() == number)
        #expect(try reader.number() == UInt64(bitPattern: number))
        #expect(reader.isAtEnd)
    }

    // MARK: - Size

    @Test func `base64url takes three quarters, and a repeated text one or two bytes`() {
        func size(_ texts: [String], knowing known: [String] = []) -> Int {
            var writer = ValueWriter(knowing: known)
            for text in texts { writer.write(text: text) }
            return writer.bytes.count
        }
        let token = String(repeating: "tT-_", count: 400)

        // A text starts with its number of parts, and a part with its form and length.
        #expect(size([token]) == 1 + 2 + 1200)
        #expect(size(["~~~~"]) == 1 + 1 + 4)
        #expect(size([Self.tenant, Self.tenant]) == (1 + 1 + 27) + (1 + 1))
        #expect(size([Self.tenant], knowing: [Self.tenant]) == 1 + 1)
        #expect(size(["preferred_username"]) == 1 + 1)
    }

    // MARK: - Rejected values

    /// Nine bytes of a number, after which one bit fits.
    private static let nines = [UInt8](repeating: 0xFF, count: 9)

    @Test func `a truncated or extended value is rejected`() throws {
        let grant = Self.grant.bytes
        let token = SharedToken.bytes(of: Self.token(at: 0), named: Self.entry, at: 0)
        func isRead(_ token: [UInt8]) -> Bool {
            SharedToken.token(token, named: Self.entry, remaining: .seconds(10), of: nil, at: 0) != nil
        }

        #expect(!grant.indices.contains { SharedGrant(Array(grant.prefix($0))) != nil })
        #expect(!token.indices.contains { isRead(Array(token.prefix($0))) })
        #expect(SharedGrant(grant + [0]) == nil && !isRead(token + [0]))
    }

    @Test(
        arguments: [
            // A count that is too large; one of 2^64 - 1; a number of more than 64 bits; one of eleven bytes.
            [3, 0, 0], nines + [1], nines + [2], [UInt8](repeating: 0x80, count: 10) + [0],
            // No part; a part of an unknown form; a forward reference; one longer than the rest; one that is not UTF-8.
            [0], [1, 3], [1, 0xFE, 1], [1, 8, 65], [1, 4, 0xC3],
        ] as [[UInt8]]
    )
    func `bytes that are not a text are rejected`(_ bytes: [UInt8]) {
        var reader = ValueReader(bytes)

        #expect(throws: ValueReader.Fault.self) { try reader.text() }
    }

    @Test func `a part that is referenced repeatedly does not make an endless text`() throws {
        var writer = ValueWriter()
        writer.write(text: String(repeating: "~", count: 20_000))
        writer.write(count: 1000)
        for _ in 0..<1000 { writer.write(number: ValuePart.known.head(ValuePart.usual.count)) }
        var reader = ValueReader(writer.bytes)

        #expect(try reader.text().utf8.count == 20_000)
        #expect(throws: ValueReader.Fault.self) { try reader.text() }
    }

    @Test(arguments: [(100, true), (1000, false)])
    func `nested claims have a limit`(_ depth: Int, _ isRead: Bool) {
        let claim = (0..<depth).reduce(MSALClaimValue.null) { inner, _ in .array([inner]) }
        let grant = SharedGrant(user: TokenUser(homeAccountID: "", claims: ["deep": claim]))

        #expect((SharedGrant(grant.bytes) != nil) == isRead)
    }
}
