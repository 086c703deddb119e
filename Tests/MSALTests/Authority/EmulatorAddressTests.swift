// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALCore
import TestSupport
import Testing

/// The emulator that `MSAL_EMULATOR` and `MSAL_EMULATOR_CA` name.
struct EmulatorAddressTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func emulator(_ address: String, authorities: String? = nil) throws -> EmulatorAddress? {
        var variables = [EmulatorAddress.variable: address]
        variables[TrustRoots.emulatorVariable] = authorities
        return try EmulatorAddress(in: variables, hasElevatedPrivileges: false)
    }

    private func refusal(_ address: String, authorities: String? = nil) -> String? {
        let error = #expect(throws: AuthorityError.self) { try emulator(address, authorities: authorities) }
        return error?.message
    }

    private func file(mode: mode_t) throws -> String {
        let path = folder.path + "/ca.pem"
        try Data("PEM".utf8).write(to: URL(filePath: path))
        try #require(chmod(path, mode) == 0)
        return path
    }

    @Test(arguments: [
        ("https://localhost:8443", "localhost:8443"), ("https://localhost:8443/", "localhost:8443"),
        ("HTTPS://LocalHost:443", "localhost"), ("https://127.0.0.1:1", "127.0.0.1:1"),
        ("https://[::1]:8443", "[::1]:8443"),
    ])
    func `an https address of this machine is accepted`(_ text: String, _ environment: String) throws {
        #expect(try emulator(text)?.environment == environment)
    }

    @Test(arguments: [
        "http://localhost:8443", "https://login.microsoftonline.com", "https://localhost.evil.example:8443",
        "https://127.0.0.1.evil.example", "https://localhost:8443/contoso.example", "https://localhost:8443?a=b",
        "https://localhost:8443#a", "https://localhost@evil.example", "https://megan:pw@localhost:8443",
        "https://localhost:0", "https://localhost:65536", "https://10.0.0.1", "https://", "localhost:8443", "yes", " ",
        "https://localhost:8443\r\nhttps://evil.example", "https://127.0.0.01",
    ])
    func `any other address is rejected, and not repeated`(_ text: String) throws {
        let words = try #require(refusal(text))

        #expect(words.contains("MSAL_EMULATOR is not an https address on this machine"))
        #expect(!words.contains("evil") && !words.contains("pw"))
    }

    @Test func `without a value there is no emulator`() throws {
        #expect(try emulator("") == nil)
        #expect(try EmulatorAddress(in: [TrustRoots.emulatorVariable: "/none"], hasElevatedPrivileges: false) == nil)
    }

    @Test func `a process with elevated privileges ignores both variables`() throws {
        let variables = [
            EmulatorAddress.variable: "https://evil.example", TrustRoots.emulatorVariable: "/none",
        ]

        #expect(try EmulatorAddress(in: variables, hasElevatedPrivileges: true) == nil)
        #expect(!EmulatorAddress.isNamed(in: variables, hasElevatedPrivileges: true))
        #expect(EmulatorAddress.isNamed(in: variables, hasElevatedPrivileges: false))
    }

    @Test(arguments: [mode_t(0o600), 0o644, 0o444])
    func `the certificates are read from a file that others cannot write`(_ mode: mode_t) throws {
        let emulator = try emulator("https://localhost:8443", authorities: file(mode: mode))

        #expect(emulator?.authorities == Data("PEM".utf8))
    }

    @Test(arguments: [mode_t(0o620), 0o602, 0o666])
    func `a file that others can write is rejected`(_ mode: mode_t) throws {
        let path = try file(mode: mode)

        let words = try #require(refusal("https://localhost:8443", authorities: path))

        #expect(words.contains(path) && words.contains("MSAL_EMULATOR_CA"))
        #expect(words.contains("belongs to another user, or is writable by others"))
    }

    @Test func `a link, a folder, a pipe and a missing file are rejected`() throws {
        let target = try file(mode: 0o600)
        let link = folder.path + "/link"
        let pipe = folder.path + "/pipe"
        try #require(symlink(target, link) == 0 && mkfifo(pipe, 0o600) == 0)

        for (path, reason) in [
            (link, "is a link"), (folder.path, "is not a regular file"), (pipe, "is not a regular file"),
            (folder.path + "/none", "does not exist"),
        ] {
            #expect(refusal("https://localhost:8443", authorities: path)?.contains(reason) == true)
        }
    }

    @Test(
        .enabled(if: geteuid() == 0, "only root can give files away")
    )
    func `a file of another user is rejected`() throws {
        let path = try file(mode: 0o644)
        try #require(chown(path, 12_345, 12_345) == 0)

        #expect(refusal("https://localhost:8443", authorities: path)?.contains("belongs to another user") == true)
    }

    @Test func `every kind of authority keeps its path and its kind`() throws {
        let emulator = try #require(try emulator("https://localhost:8443"))
        let policy = "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_susi"
        let cases: [(Authority, String)] = [
            (.default, "https://localhost:8443/common"),
            (
                try .aad(Authority.url("https://login.microsoftonline.us/contoso.example")),
                "https://localhost:8443/contoso.example"
            ),
            (
                try .b2c(Authority.url(policy), strict: true),
                "https://localhost:8443/tfp/contoso.onmicrosoft.com/B2C_1_susi"
            ),
            (
                try .ciam(Authority.url("https://fabrikam.ciamlogin.com")),
                "https://127.0.0.1:8443/fabrikam.onmicrosoft.com"
            ),
            (
                try .aad(Authority.url("https://localhost:9999/contoso.example")),
                "https://localhost:8443/contoso.example"
            ),
        ]

        for (own, expected) in cases {
            let moved = emulator.replacing(own)
            #expect(moved.url.absoluteString == expected)
            #expect(moved.kind == own.kind)
            #expect(emulator.replacing(moved) == moved)
        }
    }
}
