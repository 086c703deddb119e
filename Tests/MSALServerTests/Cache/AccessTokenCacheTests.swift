// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALServer
import Testing

struct AccessTokenCacheTests {
    private let now: Int64 = 1_790_000_000

    private func token(_ text: String = "t", life: Int64 = 3600, size: Int = 0) -> CachedAccessToken {
        CachedAccessToken(
            accessToken: Secret(text + String(repeating: "x", count: size)),
            life: .init(until: now + life),
            scopes: ["https://graph.microsoft.com/.default"]
        )
    }

    private func key(
        _ cache: AccessTokenCache,
        _ realm: String,
        target: String = "https://graph.microsoft.com/.default"
    ) -> AccessTokenKey {
        let partition = cache.partition(environment: "login.windows.net", clientID: "client")
        return AccessTokenKey(partition: partition, realm: realm, target: target)
    }

    @Test func `a token is found under every spelling of its tenant and scope`() {
        let cache = AccessTokenCache()
        cache.store(token("a"), for: key(cache, "Contoso.example"), at: now)

        for realm in ["contoso.example", "CONTOSO.example", "Contoso.Example", "CONTOSO.example"] {
            #expect(cache.token(for: key(cache, realm), at: now)?.accessToken.exposed == "a")
        }
        let shouted = key(cache, "contoso.example", target: "https://GRAPH.microsoft.com/.default")
        #expect(cache.token(for: shouted, at: now)?.accessToken.exposed == "a")
    }

    @Test func `a new token replaces the old one under every spelling of its key`() {
        let cache = AccessTokenCache()
        let shouted = key(cache, "CONTOSO.example")
        cache.store(token("a"), for: key(cache, "contoso.example"), at: now)
        _ = cache.token(for: shouted, at: now)

        cache.store(token("b"), for: key(cache, "Contoso.example"), at: now)

        #expect(cache.token(for: shouted, at: now)?.accessToken.exposed == "b")
        #expect(cache.token(for: key(cache, "contoso.example"), at: now)?.accessToken.exposed == "b")
    }

    @Test func `letters outside ASCII distinguish tenants`() {
        let cache = AccessTokenCache()
        cache.store(token("a"), for: key(cache, "kontoso.example"), at: now)

        // The kelvin sign becomes k in lower case.
        #expect(cache.token(for: key(cache, "\u{212A}ontoso.example"), at: now) == nil)
    }

    @Test(arguments: [0, -1, 500])
    func `a budget that is too small for any token keeps none`(_ budget: Int) {
        let cache = AccessTokenCache(maximumBytes: budget)

        cache.store(token(), for: key(cache, "contoso.example"), at: now)

        #expect(cache.token(for: key(cache, "contoso.example"), at: now) == nil)
        #expect(cache.bytes == 0)
    }

    @Test(arguments: [100_000, 1_000_000, 20_000_000])
    func `the tokens never exceed the budget`(_ budget: Int) {
        let cache = AccessTokenCache(maximumBytes: budget)
        let token = token(size: 1500)

        for number in 0..<(2 * budget / 2000) {
            cache.store(token, for: key(cache, "tenant-\(number)"), at: now)
        }

        #expect(cache.bytes <= budget)
        #expect(cache.bytes > budget / 2)
    }

    @Test func `the least recently used token is evicted`() {
        let cache = AccessTokenCache(maximumBytes: 10_000)
        for number in 0..<4 {
            cache.store(token(size: 1500), for: key(cache, "tenant-\(number)"), at: now + Int64(number))
        }
        _ = cache.token(for: key(cache, "tenant-0"), at: now + 10)

        cache.store(token(size: 1500), for: key(cache, "tenant-4"), at: now + 11)

        #expect(cache.token(for: key(cache, "tenant-1"), at: now + 12) == nil)
        #expect(cache.token(for: key(cache, "tenant-0"), at: now + 12) != nil)
        #expect(cache.token(for: key(cache, "tenant-4"), at: now + 12) != nil)
    }

    @Test func `a token that does not fit replaces only its predecessor`() {
        let cache = AccessTokenCache(maximumBytes: 10_000)
        cache.store(token("a"), for: key(cache, "one"), at: now)
        cache.store(token("b"), for: key(cache, "two"), at: now)

        cache.store(token("c", size: 20_000), for: key(cache, "two"), at: now)

        #expect(cache.token(for: key(cache, "one"), at: now) != nil)
        #expect(cache.token(for: key(cache, "two"), at: now) == nil)
    }

    @Test func `expired tokens are removed by the first call after a minute`() {
        let cache = AccessTokenCache(maximumBytes: 100_000)
        for number in 0..<10 { cache.store(token(life: 30), for: key(cache, "tenant-\(number)"), at: now) }
        cache.store(token(life: 3600), for: key(cache, "contoso.example"), at: now)

        _ = cache.token(for: key(cache, "contoso.example"), at: now + 59)
        #expect(cache.count == 11)
        _ = cache.token(for: key(cache, "contoso.example"), at: now + 60)
        #expect(cache.count == 1)
    }

    @Test func `a token in its extended lifetime is not swept`() {
        let cache = AccessTokenCache()
        let token = CachedAccessToken(
            accessToken: Secret("t"),
            life: .init(until: now + 10, extendedExpiresAt: now + 3600),
            scopes: []
        )
        cache.store(token, for: key(cache, "contoso.example"), at: now)

        cache.store(self.token(), for: key(cache, "fabrikam.example"), at: now + 120)

        #expect(cache.token(for: key(cache, "contoso.example"), at: now + 120) != nil)
    }

    @Test func `two clients, clouds, thumbprints or sets of components never share a token`() {
        let cache = AccessTokenCache()
        let partition = cache.partition(environment: "login.windows.net", clientID: "client")
        let target = "https://graph.microsoft.com/.default"
        cache.store(token(), for: AccessTokenKey(partition: partition, realm: "contoso", target: target), at: now)

        let others = [
            AccessTokenKey(
                partition: cache.partition(environment: "login.windows.net", clientID: "other"),
                realm: "contoso",
                target: target
            ),
            AccessTokenKey(
                partition: cache.partition(environment: "login.microsoftonline.us", clientID: "client"),
                realm: "contoso",
                target: target
            ),
            AccessTokenKey(partition: partition, realm: "contoso", target: target, keyID: "thumbprint"),
            AccessTokenKey(partition: partition, realm: "contoso", target: target, components: "hash"),
            AccessTokenKey(partition: partition, realm: "contosoh", target: "ttps://graph.microsoft.com/.default"),
        ]

        for other in others { #expect(cache.token(for: other, at: now) == nil) }
    }
}
