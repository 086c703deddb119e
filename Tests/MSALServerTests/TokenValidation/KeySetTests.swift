// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALServer
import TestSupport
import Testing

/// Key sets with unusable entries, and key servers that fail.
struct KeySetTests {
    private func check(_ key: String, named id: String? = nil, at api: APIServer) async throws -> MSALTokenRejection? {
        let header = id.map { ["kid": JSONValue.string($0)] } ?? [:]
        let token = try IssuerKey(key).token(at: api.time.now, header: header)
        do throws(MSALTokenRejection) {
            _ = try await api.validator.validate(authorization: ["Bearer \(token)"], request: MSALRequestFacts())
            return nil
        } catch {
            return error
        }
    }

    private func entry(_ key: String, _ changes: [String: JSONValue?]) throws -> JSONValue {
        var members = try #require(IssuerKey(key).published.object)
        for (name, value) in changes { members[name] = value }
        return .object(members)
    }

    @Test func `two keys with one id both verify, after a refresh too`() async throws {
        let api = try APIServer()
        api.issuer.serve(keys: .keys([try IssuerKey("k1").published, try entry("k2", ["kid": .string("k1")])]))

        for _ in 0..<2 {
            #expect(try await check("k1", at: api) == nil)
            #expect(try await check("k2", named: "k1", at: api) == nil)
            #expect(try await check("k3", named: "k1", at: api)?.code == .invalidSignature)
            api.time.advance(by: .seconds(3601))
            _ = try await check("k1", at: api)
            await api.validator.untilRefreshed()
        }
    }

    @Test(arguments: ["null", "absent", "number", "type", "weak", "repeated", "junk"])
    func `an unusable entry of a key set is ignored`(_ fault: String) async throws {
        let api = try APIServer()
        let bad: JSONValue =
            switch fault {
            case "null": try entry("k2", ["kid": .some(.null)])
            case "absent": try entry("k2", ["kid": nil])
            case "number": try entry("k2", ["kid": .integer(1)])
            case "type": .object(["kty": .string("EC"), "kid": .string("k1"), "crv": .string("P-256")])
            case "weak": try entry("k1", ["n": .string("AQAB")])
            case "repeated": try IssuerKey("k1").published
            default: .array([.null])
            }
        api.issuer.serve(keys: .keys([bad, try IssuerKey("k1").published]))

        #expect(try await check("k1", at: api) == nil)
        #expect(try await check("k2", at: api)?.code == .unknownKey)
    }

    @Test func `an unknown key whose fetch failed is retried after seconds, and the response is 503`() async throws {
        let api = try APIServer()
        #expect(try await check("k1", at: api) == nil)
        api.time.advance(by: .seconds(400))
        api.issuer.serve(keys: .failure(.timedOut))

        let rejection = try #require(try await check("k2", at: api))
        #expect(rejection.status == 503)
        #expect(rejection.retryAfter == .seconds(5))
        // Within the pause, nothing is sent.
        let requests = api.issuer.requests.count
        #expect(try await check("k2", at: api)?.status == 503)
        #expect(api.issuer.requests.count == requests)
        #expect(try await check("k1", at: api) == nil)
        api.issuer.serve(keys: .keys([try IssuerKey("k1").published, try IssuerKey("k2").published]))
        api.time.advance(by: .seconds(5))
        #expect(try await check("k2", at: api) == nil)
        // The keys are available again, so that an id that is missing from them is the caller's fault.
        #expect(try await check("k3", at: api)?.code == .unknownKey)
        #expect(api.issuer.requests.count == requests + 1)
    }

    @Test func `the pause doubles with each failed fetch, up to five minutes`() async throws {
        let api = try APIServer()
        #expect(try await check("k1", at: api) == nil)
        api.time.advance(by: .seconds(400))
        api.issuer.serve(keys: .failure(.timedOut))
        _ = try await check("k2", at: api)

        for pause in [5, 10, 20, 40, 80, 160, 300, 300] {
            let requests = api.issuer.requests.count
            api.time.advance(by: .seconds(pause - 1))
            for number in 0..<20 { _ = try await check("x\(number)", at: api) }
            #expect(api.issuer.requests.count == requests)
            api.time.advance(by: .seconds(1))
            for number in 0..<20 { _ = try await check("x\(number)", at: api) }
            #expect(api.issuer.requests.count == requests + 1)
        }
    }

    @Test func `a background refresh is retried after seconds, too`() async throws {
        let api = try APIServer()
        #expect(try await check("k1", at: api) == nil)
        api.issuer.serve(keys: .failure(.timedOut))
        api.time.advance(by: .seconds(3601))
        #expect(try await check("k1", at: api) == nil)
        await api.validator.untilRefreshed()
        let requests = api.issuer.requests.count

        api.time.advance(by: .seconds(5))
        #expect(try await check("k1", at: api) == nil)
        await api.validator.untilRefreshed()
        #expect(api.issuer.requests.count == requests + 1)
    }
}
