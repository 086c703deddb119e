// Licensed under the MIT License. See LICENSE.

import Foundation
import TestSupport
import Testing

@testable import MSAL
@testable import MSALBase
@testable import MSALCore

struct ProxyRulesTests {
    static let proxy = ProxyRules.Proxy(kind: .http, host: "proxy.example", port: 8080, setting: "HTTPS_PROXY")

    func route(_ address: String, _ environment: [String: String]) throws -> ProxyRules.Route {
        ProxyRules(environment: environment).route(for: try #require(URL(string: address)))
    }

    @Test(arguments: ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"])
    func `each variable names the proxy`(_ name: String) throws {
        #expect(try route("https://login.example/", [name: "http://proxy.example:8080"]) == .proxy(Self.proxy))
        #expect(try route("https://login.example/", [name: "proxy.example:8080"]) == .proxy(Self.proxy))
    }

    @Test(arguments: [
        "*", "login.example", "example", ".example", "*.example", "a.test, login.example", "login.example:443",
        "LOGIN.EXAMPLE", "login.example.", ".example.", "login.example.:443",
    ])
    func `a matching exception bypasses the proxy`(_ exceptions: String) throws {
        let environment = ["HTTPS_PROXY": "http://proxy.example:8080", "NO_PROXY": exceptions]

        #expect(try route("https://login.example/", environment) == .direct)
    }

    @Test(arguments: ["in.example", "login.example:8443", "login.example.test", "10.0.0.1", ""])
    func `an exception that does not match changes nothing`(_ exceptions: String) throws {
        let environment = ["HTTPS_PROXY": "http://proxy.example:8080", "NO_PROXY": exceptions]

        #expect(try route("https://login.example/", environment) == .proxy(Self.proxy))
    }

    @Test(arguments: [
        "https://127.0.0.1:8443/", "https://localhost/", "https://[::1]:8443/", "http://169.254.169.254/",
    ])
    func `this machine is reached directly`(_ address: String) throws {
        #expect(try route(address, ["HTTPS_PROXY": "http://proxy.example:8080"]) == .direct)
    }

    @Test(arguments: ["127.0.0.1.example", "+127.0.0.1", "0127.0.0.1", "127.0.1", "127.0.0.256", "::2", ""])
    func `a name that only looks like this machine is not recognized as such`(_ host: String) throws {
        #expect(!LoopbackAddress.contains(host))
        if let url = URL(string: "https://\(host)/t"), let address = AuthorityAddress(url) {
            #expect(!address.isLoopback)
        }
    }

    @Test(arguments: [
        ("localhost", true), ("LocalHost.", true), ("a.b.localhost", true), ("localhost.example", false),
        ("notlocalhost", false), ("127.0.0.1", false), ("", false), (".", false),
    ])
    func `localhost and the names below it are not resolved`(_ host: String, _ isName: Bool) {
        #expect(LoopbackAddress.isName(host) == isName)
    }

    @Test(arguments: ["localhost", "LOCALHOST", "127.0.0.1", "127.255.0.3", "[::1]"])
    func `all names of this machine are recognized`(_ host: String) throws {
        let url = try #require(URL(string: "https://\(host):8443/t"))

        #expect(LoopbackAddress.contains(host.trimmingCharacters(in: ["[", "]"])))
        #expect(AuthorityAddress(url)?.isLoopback == true)
    }

    @Test func `addresses are exempted with and without port`() throws {
        let environment = ["HTTPS_PROXY": "http://proxy.example:8080", "NO_PROXY": "10.0.0.1,[fd00::1]:8443,fd00::2"]

        #expect(try route("https://10.0.0.1/", environment) == .direct)
        #expect(try route("https://[fd00::1]:8443/", environment) == .direct)
        #expect(try route("https://[fd00::1]/", environment) == .proxy(Self.proxy))
        #expect(try route("https://[fd00::2]/", environment) == .direct)
    }

    @Test func `networks are exempted`() throws {
        let environment = [
            "HTTPS_PROXY": "http://proxy.example:8080", "NO_PROXY": "10.0.0.0/8,fd00::/8,192.0.2.0/24:8443",
        ]

        #expect(try route("https://10.1.2.3/", environment) == .direct)
        #expect(try route("https://[fd12::1]/", environment) == .direct)
        #expect(try route("https://192.0.2.7:8443/", environment) == .direct)
        for address in ["https://11.0.0.1/", "https://[fe80::1]/", "https://192.0.2.7/", "https://10.example/"] {
            #expect(try route(address, environment) == .proxy(Self.proxy))
        }
        #expect(
            try route("https://login.example./", ["HTTPS_PROXY": "proxy.example:8080", "NO_PROXY": "login.example"])
                == .direct
        )
    }

    @Test func `credentials are decoded and not printed`() throws {
        let route = try route("https://login.example/", ["HTTPS_PROXY": "http://me:p%40ss@proxy.example:8080"])

        guard case .proxy(let proxy) = route else {
            Issue.record("The route is \(route).")
            return
        }
        #expect(proxy.credentials == Secret("me:p@ss"))
        #expect(!"\(route)".contains("p@ss"))
    }

    @Test func `an application's proxy replaces the one in the environment, but not the exceptions`() throws {
        let environment = ["HTTPS_PROXY": "http://proxy.example:8080", "NO_PROXY": "graph.example"]
        let rules = ProxyRules(
            environment: environment,
            route: ProxyRules.route(through: "http://them:secret@other.example:3128", user: "me", password: "p@ss:word")
        )

        guard case .proxy(let proxy) = rules.route(for: try #require(URL(string: "https://login.example/"))) else {
            Issue.record("The proxy was not used.")
            return
        }
        #expect((proxy.kind, proxy.host, proxy.port) == (.http, "other.example", 3128))
        #expect(proxy.credentials == Secret("me:p@ss:word"))
        for address in ["https://graph.example/", "https://localhost/", "http://169.254.169.254/"] {
            #expect(rules.route(for: try #require(URL(string: address))) == .direct)
        }
        let none = ProxyRules(environment: environment, route: .direct)
        #expect(none.route(for: try #require(URL(string: "https://login.example/"))) == .direct)
    }

    @Test(arguments: [
        "https://proxy.example", "ftp://proxy.example", "http://", "http://proxy.example:0", "socks5://proxy.example",
        "/proxy",
    ])
    func `an application cannot specify a proxy that cannot be used`(_ address: String) throws {
        let url = try #require(URL(string: address))

        let error = #expect(throws: NSError.self) { try MSALProxy(url: url, user: "me", password: "secret") }

        #expect(error?.userInfo[MSALInternalErrorCodeKey] as? Int == -42000)
        #expect(error?.description.contains("secret") == false)
    }

    @Test(arguments: ["https://proxy.example", "ftp://proxy.example", "http://", "socks5://me:secret@proxy.example"])
    func `a proxy that cannot be used fails without revealing its address`(_ address: String) throws {
        guard case .unusable(let reason) = try route("https://login.example/", ["HTTPS_PROXY": address]) else {
            Issue.record("The proxy was accepted.")
            return
        }
        #expect(!reason.contains("secret"))
    }
}

/// Damaged lists of exceptions.
struct ProxyRulesFuzzTests {
    @Test func `no list of exceptions traps, and this machine is always reached directly`() throws {
        var fuzz = Fuzz(
            corpus: [
                "10.0.0.0/8,fd00::/8", "login.example.,.contoso.example:8443", "*", "[fd00::1]:443, [::]/0", "a, b\tc",
                "*.example", "0.0.0.0/0", "192.0.2.7/32:443",
            ].map { Array($0.utf8) },
            words: [
                "/", "/33", "/-1", "/129", "[", "]", ":", "::", ".", "*", ",", "login.example", "fd00::", "10.0.0.0/8",
            ]
        )
        let hosts = ["login.example", "10.1.2.3", "[fd00::1]", "127.0.0.1", "[::1]", "localhost"]
        let addresses = try hosts.map { try #require(URL(string: "https://\($0)/")) }
        var direct = 0

        fuzz.run { bytes in
            // A variable ends at the first zero.
            let list = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            let rules = ProxyRules(environment: ["HTTPS_PROXY": "http://proxy.example:8080", "NO_PROXY": list])
            let routes = addresses.map { rules.route(for: $0) }
            #expect(routes.allSatisfy { [.direct, .proxy(ProxyRulesTests.proxy)].contains($0) })
            #expect(routes.suffix(3).allSatisfy { $0 == .direct })
            if routes.first == .direct { direct += 1 }
        }

        #expect(direct > 0)
    }
}
