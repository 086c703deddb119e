// Licensed under the MIT License. See LICENSE.

import AsyncHTTPClient
import Crypto
import CryptoExtras
import Foundation
import HTTPGuards
import MSALBase
import NIOCore
import TestSupport
import Testing

@testable import EntraEmulator

/// Damaged input for the emulator's parsers of forms, queries, JSON, tokens and directory files. A trap ends the whole run.
/// `MSAL_FUZZ_ROUNDS` sets the length (see ``Fuzz``).
struct EmulatorFuzzTests {
    private static func bytes(_ texts: String...) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    private static func text(_ input: [UInt8]) -> String { String(decoding: input, as: UTF8.self) }

    private static func base64URL(_ text: String) -> String { Bench.base64URL(Data(text.utf8).base64EncodedString()) }

    @Test func `a damaged form is refused, or written and read to the same values`() throws {
        var fuzz = Fuzz(
            corpus: Self.bytes("grant_type=refresh_token&scope=a+b%20c&client_id=1&x=%C3%A9&y=", "a&b=&&=c&a=%26%3D"),
            words: ["&", "=", "%", "+", "%00", "%f0%9f", "a=b&", "%25"]
        )
        var readable = 0
        fuzz.run { input in
            guard let values = FormValues(Self.text(input)) else { return }  // Refused.
            readable += 1
            let again = FormValues(FormValues.encode(values.pairs.map { ($0.name, $0.value) }))
            #expect(again?.pairs.map(\.name) == values.pairs.map(\.name), "\(input)")
            #expect(again?.pairs.map(\.value) == values.pairs.map(\.value), "\(input)")
            _ = (values.duplicatedName, values.last("a"), JournalText.shortened(values.pairs))
        }
        #expect(readable > Fuzz.rounds / 10, "The damage left too little to read.")
    }

    @Test func `a damaged filter of Microsoft Graph is refused, or read to an expression within its limits`() {
        var fuzz = Fuzz(
            corpus: Self.bytes(
                "startsWith(displayName,'meg') or not (jobTitle eq null and accountEnabled ne true)",
                "id in ('1', '2') and status/errorCode eq -50105",
                "displayName eq 'O''Brien'"
            ),
            words: ["(", ")", "'", "''", " and ", " or ", "not ", " in (", "eq", ",", "null", "-9999999999999999999"]
        )
        var readable = 0
        fuzz.run { input in
            let text = Self.text(input)
            _ = try? GraphSearch(text)
            guard let filter = try? GraphFilter(text) else { return }  // Refused.
            readable += 1
            #expect(text.utf8.count <= GraphFilter.longest && filter.paths.count <= GraphFilter.mostTerms, "\(text)")
            let object = GraphObject(
                id: "1",
                kind: GraphTypes.group.kind,
                value: { .string($0) },
                related: { _ in nil }
            )
            let opposite = GraphFilter.not(filter)
            #expect(filter.matches(object) != opposite.matches(object), "\(text)")
        }
        #expect(readable > Fuzz.rounds / 100, "The damage left too little to read.")
    }

    @Test func `damaged JSON is refused, or written and read to the same text`() throws {
        var fuzz = Fuzz(
            corpus: Self.bytes(
                #"{"access_token":{"xms_cc":{"values":["cp1"]},"acrs":{"essential":true,"value":"c1"}}}"#,
                #"{"pathSuffix":"/token","status":503,"count":1,"headers":{"Retry-After":"5"},"hangs":false,"body":"é\u00e9"}"#,
                "[[1,-2.5e3,-0.0,true,null],{}]"
            ),
            words: ["{\"", "\":", "[", "]", "}", "\\ud800", "1e400", "-0.0"]
        )
        var (readable, faults) = (0, 0)
        fuzz.run { input in
            let text = Self.text(input)
            _ = try? RequestedClaims.capabilities(in: text)
            _ = RequestedClaims.authenticationContexts(ifAnyIn: text)
            guard let value = JSONValue(parsing: Data(input)) else { return }  // Refused.
            readable += 1
            let written = value.encoded()
            let again = JSONValue(parsing: written)?.encoded()
            #expect(again == written, "\(text)")
            guard let fault = try? Fault(value) else { return }  // Refused.
            faults += 1
            #expect(fault.count > 0 && fault.status.map((200...999).contains) != false && fault.delay >= .zero)
        }
        #expect(readable > Fuzz.rounds / 100 && faults > 0, "The damage left too little to read.")
    }

    @Test func `a damaged token is rejected, and only signed content has a valid signature`() throws {
        let key = try SharedKeys.rsa("client")
        let parts = [
            #"{"alg":"RS256","kid":"k","x5c":["AAAA"]}"#, #"{"iss":"i","aud":["a"],"exp":1800000000,"at":"t","ts":1}"#,
        ]
        let signed = parts.map(Self.base64URL).joined(separator: ".")
        let signature = try key.signature(for: SHA256.hash(data: Data(signed.utf8)), padding: .insecurePKCS1v1_5)
        let ending = Bench.base64URL(signature.rawRepresentation.base64EncodedString())
        var fuzz = Fuzz(
            corpus: Self.bytes("\(signed).\(ending)", "e30.e30.", "..", "\(Self.base64URL("[]")).\(signed)"),
            words: ["eyJhbGciOiJub25lIn0", "e30", "..", "=", Self.base64URL(#"{"alg":"PS256"}"#)]
        )
        var (readable, valid) = (0, 0)
        fuzz.run { input in
            let text = Self.text(input)
            if let request = try? SignedRequest(Secret(text)) { #expect(request.text.exposed == text) }
            guard let token = SignedToken(Secret(text)) else { return }  // Refused.
            readable += 1
            _ = (token.audiences, token.time("exp"), token.time("ts"))
            guard token.isSigned(by: key.publicKey) else { return }
            valid += 1
            #expect(text.hasPrefix(signed + "."), "\(text)")
        }
        #expect(readable > Fuzz.rounds / 200 && valid > 0, "The damage left too little to read.")
    }

    @Test func `a damaged redirect URI is rejected, or is unambiguous`() {
        var fuzz = Fuzz(
            corpus: Self.bytes(
                "http://localhost:5000/auth?x=y",
                "msauth.com.contoso.app://auth",
                "https://[::1]:8443/",
                "https://app.contoso.example/spa"
            ),
            words: ["://", "@", "\\", "[", "]", ":", "#", "/..", "%2f", "localhost"]
        )
        var readable = 0
        fuzz.run { input in
            guard let uri = RedirectAddress(Self.text(input)) else { return }  // Refused.
            readable += 1
            #expect(uri.matches(uri))
            #expect(uri.host == uri.host.lowercased() && !uri.host.contains("@") && !uri.text.contains("\\"))
            #expect(uri.rest.isEmpty || uri.rest.hasPrefix("/") || uri.rest.hasPrefix("?"))
        }
        #expect(readable > Fuzz.rounds / 100, "The damage left too little to read.")
    }

    @Test func `a damaged directory file is refused with a reason, or can be used, written and read again`() throws {
        let file = EmulatorDirectory.startingFile
        #expect(throws: Never.self) { try EmulatorDirectory(text: file) }
        var fuzz = Fuzz(
            corpus: Self.bytes(
                file,
                #"{"tenants":[{"domain":"a.example"}],"users":[{"userPrincipalName":"a@a.example","password":"\ud83d\ude00 \u00e9\r\n"}]}"#,
                "tenants: []",
                "&a [*a]"
            ),
            words: [
                "&a ", "*a", "!!binary ", "- ", ": ", "\n", "  ", "<<: ", "|\n", "{", "[", "\t", "? ", "---\n", "0x7f",
            ]
        )
        // A file costs a hundred times what the other inputs do.
        fuzz.run(rounds: Fuzz.rounds / 20) { input in
            do throws(EmulatorDirectory.InvalidFile) {
                let directory = try EmulatorDirectory(text: Self.text(input))
                #expect(throws: Never.self) {
                    try directory.validate()
                    for format in EmulatorDirectory.FileFormat.allCases {
                        let text = try directory.text(as: format, withSecrets: true)
                        #expect(try EmulatorDirectory(text: text) == directory, "\(Self.text(input))")
                    }
                }
            } catch {
                #expect(!error.issues.isEmpty, "\(Self.text(input))")
            }
        }
    }

    @Test func `a damaged text is truncated at a character boundary`() {
        var fuzz = Fuzz(corpus: Self.bytes("aé\u{1F4A3}\u{0301}b\u{202E}" + String(repeating: "é", count: 20)))
        fuzz.run { input in
            let text = Self.text(input)
            let short = JournalText.shortened(text, to: 16)
            // Compared as bytes: a joiner at the cut forms one character with what follows.
            let ending = text.utf8.count <= 16 ? text : "… (\(text.utf8.count) bytes)"
            #expect(short.utf8.suffix(ending.utf8.count).elementsEqual(ending.utf8), "\(input)")
            #expect(short.utf8.count <= 16 + 24)
        }
    }

    /// NIO and the HTTP client end the process on a port that they cannot keep.
    @Test func `no accepted address crashes a lower layer`() {
        var fuzz = Fuzz.addresses
        var accepted = 0
        fuzz.run(rounds: max(Fuzz.rounds, 20_000)) { input in
            guard let address = ServerAddress(Self.text(input), schemes: ["http", "https"]) else { return }
            accepted += 1
            // A refusal of the client is no failure here.
            guard let request = try? HTTPClient.Request(url: address.text) else { return }
            #expect((1...65_535).contains(request.port), "\(address)")
            _ = try? SocketAddress(ipAddress: request.host, port: request.port)
        }
        #expect(accepted > 50)
    }
}
