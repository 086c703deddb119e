// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import TestSupport
import Testing

@testable import MSALCLI

/// The requests of git, Docker and Kubernetes, and the responses.
struct HelperRequestTests {
    // MARK: git

    private func request(_ host: String, scheme: String = "https", more: String = "") throws -> GitRequest {
        GitRequest("protocol=\(scheme)\nhost=\(host)\n\(more)\n".utf8)
    }

    @Test(arguments: ["dev.azure.com", "contoso.visualstudio.com", "contoso.pkgs.visualstudio.com"])
    func `git gets a token for Azure DevOps`(host: String) throws {
        #expect(try request(host).isAnswered())
    }

    @Test(arguments: [
        "github.com", "azure.com", "xdev.azure.com", "dev.azure.com.attacker.example", "visualstudio.com",
        "contosovisualstudio.com", "a..visualstudio.com", "-a.visualstudio.com", "", "dev.аzure.com",
        "contoso.visualstudio.com.", "ex.dev.azure.com",
    ])
    func `git gets no response for another host`(host: String) throws {
        // A host with a trailing dot is a supported one in another spelling.
        guard !host.hasSuffix(".") else {
            #expect(throws: Failure.self) { try request(host).isAnswered() }
            return
        }
        #expect(try !request(host).isAnswered())
    }

    @Test(arguments: [
        ("DEV.azure.com", "lowercase"), ("dev.azure.com:443", "a port"), ("dev.azure.com:8443", "a port"),
        ("dev.azure.com/contoso", "a path"), ("megan@dev.azure.com", "a user name"),
        ("attacker.example@dev.azure.com", "a user name"), ("dev.azure.com?x", "a path"), ("dev.azure.com#x", "a path"),
    ])
    func `a host in another spelling is rejected for git`(host: String, reason: String) throws {
        let failure = try #require(throws: Failure.self) { try request(host).isAnswered() }

        #expect(failure.status == .usage)
        #expect(failure.message.contains(reason))
    }

    @Test(arguments: ["http", "ssh", "HTTPS", ""])
    func `git gets a token only over https`(scheme: String) throws {
        #expect(throws: Failure.self) { try request("dev.azure.com", scheme: scheme).isAnswered() }
    }

    @Test(arguments: [
        "username=a\rb", "username=a\r", "path=a\u{0}", "host", "=a", "wwwauth[]=a\u{1B}", "path=a\r\nusername=b",
    ])
    func `a malformed line is rejected for Azure DevOps and ignored for another host`(line: String) throws {
        let failure = try #require(throws: Failure.self) {
            try request("dev.azure.com", more: line + "\n").isAnswered()
        }

        #expect(failure.status == .usage)
        #expect(try !request("github.com", more: line + "\n").isAnswered())
        #expect(try !request("github.com\r", more: line + "\n").isAnswered())
    }

    @Test func `bytes that are not UTF-8 and a long request are ignored for another host`() throws {
        let bytes = Array("protocol=https\nhost=github.com\npath=".utf8) + [0xE9, 0x0A]
        #expect(try !GitRequest(bytes).isAnswered())
        #expect(try !GitRequest(bytes, isWhole: false).isAnswered())
        let own = Array("protocol=https\nhost=dev.azure.com\n".utf8)
        #expect(throws: Failure.self) { try GitRequest(own, isWhole: false).isAnswered() }
        #expect(throws: Failure.self) { try GitRequest(own + [0x70, 0x3D, 0xE9, 0x0A]).isAnswered() }
    }

    @Test(arguments: ["a\nquit=1", "a\r", "a\u{0}b", "a\r\npassword=x"])
    func `a line break in an account name or a token never reaches git`(value: String) throws {
        let request = try request("dev.azure.com")

        #expect(throws: Failure.self) { try request.credential(PrivateText("T"), accountName: value, expiresOn: nil) }
        #expect(throws: Failure.self) { try request.credential(PrivateText(value), accountName: "a", expiresOn: nil) }
    }

    @Test func `a user name with an @ in the URL is an account, and is kept`() throws {
        let end = Date(timeIntervalSince1970: 1_700_000_000)
        let person = try request(
            "dev.azure.com",
            more: "username=megan@contoso.example\npath=a\ncapability[]=authtype\n"
        )
        let organization = try request("dev.azure.com", more: "username=contoso\n")

        #expect(person.account == "megan@contoso.example" && organization.account == nil)
        #expect(
            try organization.credential(PrivateText("T"), accountName: "megan@contoso.example", expiresOn: end)
                == "username=contoso\npassword=T\npassword_expiry_utc=1700000000\n"
        )
        #expect(
            try request("dev.azure.com").credential(PrivateText("T"), accountName: "megan", expiresOn: nil)
                == "username=megan\npassword=T\n"
        )
    }

    @Test func `a request of 64 KiB is accepted, and its first 16 KiB are kept`() throws {
        let pipe = Pipe()
        let text = "host=" + String(repeating: "a", count: 65_536)
        Thread.detachNewThread {
            try? pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
            try? pipe.fileHandleForWriting.close()
        }

        let input = HelperInput.read(from: pipe.fileHandleForReading.fileDescriptor)

        #expect(input.bytes.count == HelperInput.maximumLength && !input.isWhole)
        #expect(try pipe.fileHandleForReading.readToEnd() ?? Data() == Data())
    }

    @Test func `an empty line ends a request, although git keeps the input open`() throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("host=a\n\n".utf8))

        let input = HelperInput.read(from: pipe.fileHandleForReading.fileDescriptor, endsAtEmptyLine: true)

        #expect(String(decoding: input.bytes, as: UTF8.self) == "host=a\n\n" && input.isWhole)
    }

    // MARK: Docker

    @Test(arguments: ["contoso.azurecr.io", "https://contoso.azurecr.io", "contoso.azurecr.us\n", "a.b.azurecr.cn\r\n"])
    func `Docker gets a token for Azure Container Registry`(text: String) throws {
        let host = text.trimmingCharacters(in: .newlines).replacing("https://", with: "")
        #expect(try RegistryRequest(text.utf8).host == host)
    }

    @Test(arguments: [
        "docker.io", "azurecr.io", "contoso.azurecr.io.attacker.example", "xazurecr.io", "", "https://quay.io/v1",
        "\n", "docker.io\r\n", "docker.io\nx", "docker.io\u{0}",
    ])
    func `Docker gets its own message for an unknown registry`(text: String) throws {
        let failure = try #require(throws: Failure.self) { try RegistryRequest(text.utf8) }

        #expect(failure.message == "credentials not found in native keychain")
        #expect(failure.remedy == nil)
    }

    @Test(arguments: [
        "CONTOSO.azurecr.io", "contoso.azurecr.io:443", "https://contoso.azurecr.io/v2/",
        "https://u@contoso.azurecr.io",
        "http://contoso.azurecr.io", "contoso.azurecr.io\nx", "contoso.azurecr.io\r",
    ])
    func `a registry in another spelling is rejected for Docker`(text: String) throws {
        let failure = try #require(throws: Failure.self) { try RegistryRequest(text.utf8) }

        #expect(failure.status == .usage)
    }

    @Test(arguments: [
        ("contoso.azurecr.io", "login.microsoftonline.com", true),
        ("contoso.azurecr.io", "login.microsoftonline.us", false),
        ("contoso.azurecr.us", "login.microsoftonline.us", true), ("contoso.azurecr.cn", "login.windows.net", false),
        ("contoso.azurecr.cn", "login.chinacloudapi.cn", true),
        ("contoso.azurecr.io", "login.sovcloud-identity.fr", false),
        ("contoso.azurecr.io", "localhost:8443", true),
    ])
    func `a token is sent only to registries of its own cloud`(host: String, environment: String, goes: Bool) throws {
        let registry = try RegistryRequest(host.utf8)

        let isSent = (try? registry.check(environment: environment)) != nil

        #expect(isSent == goes)
    }

    @Test func `a registry exchanges the token, and its error has a separate message`() async throws {
        let transport = ScriptedTransport(
            .json(#"{"refresh_token": "R"}"#, to: "https://contoso.azurecr.io/oauth2/exchange"),
            .json(#"{"errors": [{"code": "UNAUTHORIZED", "message": "no role"}]}"#, status: 401),
            .json("<html>Sign in to the network</html>", status: 401),
            .json(#"{"refresh_token": "a\nb"}"#)
        )
        let exchange = RegistryExchange(client: MSALAPIClient(transport: transport), host: "contoso.azurecr.io")

        #expect(try await exchange.token(for: PrivateText("A+/="), tenant: "t").exposed == "R")
        let refused = await #expect(throws: Failure.self) {
            _ = try await exchange.token(for: PrivateText("A"), tenant: nil)
        }
        let page = await #expect(throws: Failure.self) {
            _ = try await exchange.token(for: PrivateText("A"), tenant: nil)
        }
        await #expect(throws: Failure.self) { _ = try await exchange.token(for: PrivateText("A"), tenant: nil) }

        #expect(refused?.message == "contoso.azurecr.io returned 401: no role")
        #expect(refused?.remedy?.contains("AcrPull") == true)
        #expect(page?.message == "contoso.azurecr.io returned 401. \(GraphHTTPResponse.portalHint)")
        #expect(page?.remedy == nil)
        #expect(
            transport.messages.first?.form
                == [
                    "grant_type": "access_token", "service": "contoso.azurecr.io", "access_token": "A+/=",
                    "tenant": "t",
                ]
        )
    }

    // MARK: Tokens of registries

    private func token(endsIn seconds: Int, from now: Date) -> PrivateText {
        let claims = Data(#"{"exp":\#(Int(now.timeIntervalSince1970) + seconds)}"#.utf8).base64EncodedString()
        return PrivateText("h.\(claims.replacing("=", with: "")).s")
    }

    @Test func `a registry's token is stored encrypted until it expires`() throws {
        let folder = try TemporaryDirectory()
        let store = folder.path + "/a name with spaces"
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        let tokens = RegistryTokens(beside: store, now: now)
        let place = tokens.folder.path(percentEncoded: false)
        let (access, token) = (PrivateText("access"), token(endsIn: 3600, from: now))
        tokens.keep(token, for: "a.azurecr.io", exchangedFor: access)

        #expect(tokens.token(for: "a.azurecr.io", exchangedFor: access) == token)
        #expect(tokens.token(for: "b.azurecr.io", exchangedFor: access) == nil)
        #expect(tokens.token(for: "a.azurecr.io", exchangedFor: PrivateText("other")) == nil)
        let later = RegistryTokens(beside: store, now: now.addingTimeInterval(3301))
        #expect(later.token(for: "a.azurecr.io", exchangedFor: access) == nil)

        let files = try FileManager.default.contentsOfDirectory(atPath: place)
        let file = tokens.folder.appending(path: try #require(files.first))
        let bytes = try Data(contentsOf: file)
        #expect(files.count == 1 && bytes.range(of: Data(token.exposed.utf8)) == nil)
        let name = file.path(percentEncoded: false)
        let mode = try FileManager.default.attributesOfItem(atPath: name)[.posixPermissions] as? Int
        #expect(mode == 0o600)

        // A damaged file is ignored, and an expired one is deleted when another is stored.
        try (bytes.dropLast() + [bytes[bytes.count - 1] ^ 1]).write(to: file)
        #expect(tokens.token(for: "a.azurecr.io", exchangedFor: access) == nil)
        tokens.keep(token, for: "a.azurecr.io", exchangedFor: access)
        let next = RegistryTokens(beside: store, now: now.addingTimeInterval(4000))
        next.keep(self.token(endsIn: 3600, from: next.now), for: "b.azurecr.io", exchangedFor: access)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place).count == 1)
    }

    @Test(arguments: ["", "a.b", "a.b.c", "a.e30.c", "a.eyJleHAiOjFlOTk5fQ.c", "a.eyJleHAiOiJ4In0.c"])
    func `a token without an expiry is not stored`(text: String) throws {
        #expect(RegistryTokens.end(of: PrivateText(text)) == nil)
    }

    // MARK: Kubernetes

    @Test(arguments: ["v1", "v1beta1"])
    func `Kubernetes gets a response in the version that it requests`(version: String) throws {
        let information = """
            {"apiVersion": "client.authentication.k8s.io/\(version)", "kind": "ExecCredential", "spec": {"interactive": true}}
            """
        let end = Date(timeIntervalSince1970: 1_700_000_000)
        let text = try KubeRequest(information).credential(PrivateText("T"), expiresOn: end)

        #expect(
            text == """
                {"apiVersion":"client.authentication.k8s.io/\(version)","kind":"ExecCredential",\
                "status":{"expirationTimestamp":"2023-11-14T22:13:20Z","token":"T"}}
                """
        )
    }

    @Test func `Kubernetes gets version 1 if it names none`() throws {
        #expect(try KubeRequest(nil).version == "client.authentication.k8s.io/v1")
        #expect(try KubeRequest("").version == "client.authentication.k8s.io/v1")
    }

    @Test(arguments: [
        ("nonsense", "not a JSON object"), ("[]", "not a JSON object"), ("{}", "no member kind"),
        (#"{"kind": "ExecCredential"}"#, "no member apiVersion"),
        (#"{"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1alpha1"}"#, "k8s.io/v1alpha1\""),
        (
            #"{"kind": "Pod", "apiVersion": "client.authentication.k8s.io/v1"}"#,
            "kind in KUBERNETES_EXEC_INFO is \"Pod\""
        ),
        (#"{"kind": "ExecCredential", "apiVersion": 1}"#, "apiVersion in KUBERNETES_EXEC_INFO is not a string"),
        (String(repeating: " ", count: 65_536), "not a JSON object"),
    ])
    func `an invalid member of a request of Kubernetes is rejected and named`(text: String, words: String) throws {
        let failure = try #require(throws: Failure.self) { try KubeRequest(text) }

        #expect(failure.status == .usage)
        #expect(failure.message.contains(words), "\(failure.message)")
    }

    @Test func `a request of Kubernetes may be as long as an environment variable`() throws {
        let data = String(repeating: "A", count: 130_000)
        let request = #"{"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1", "a": "\#(data)"}"#

        #expect(try KubeRequest(request).version == "client.authentication.k8s.io/v1")
    }

    @Test(arguments: ["", "a b", "a\n", "é"])
    func `a server's id is one word`(id: String) throws {
        #expect(throws: Failure.self) { try KubeRequest.scope(id) }
    }
}

/// Random requests of other programs.
struct HelperFuzzTests {
    @Test func `no request traps, and no other host gets a token`() throws {
        var fuzz = Fuzz(
            corpus: [
                "protocol=https\nhost=dev.azure.com\nusername=a@b\n\n",
                "protocol=https\nhost=contoso.visualstudio.com\n\n",
                "protocol=https\r\nhost=dev.azure.com\r\nusername=ana\nhost=evil.example\n\n",
                "https://contoso.azurecr.io\r\n", "contoso.azurecr.us",
                #"{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","spec":{"interactive":false}}"#,
                #"{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1alpha1"}"#,
            ].map { Array($0.utf8) },
            words: [
                "\n", "\r\n", "\r", "\u{0}", "\u{2028}", "azurecr.io", "ExecCredential", "apiVersion", "=", "host=",
                "https", "@", ":", "/", ".", "visualstudio.com", "attacker.example", "%", "[]=",
            ]
        )
        var answered = 0

        fuzz.run { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            let request = GitRequest(bytes)
            if (try? request.isAnswered()) == true {
                answered += 1
                #expect(request.scheme == "https")
                #expect(request.host == "dev.azure.com" || request.host.hasSuffix(".visualstudio.com"))
                let letters = Set("abcdefghijklmnopqrstuvwxyz0123456789-.")
                #expect(request.host.allSatisfy(letters.contains))
                let token = PrivateText("token")
                if let lines = try? request.credential(token, accountName: "ana@contoso.example", expiresOn: nil) {
                    #expect(
                        lines.utf8.count(where: { $0 == 0x0A }) == 2 && !lines.utf8.contains { $0 == 0x0D || $0 == 0 }
                    )
                }
            }
            if let registry = try? RegistryRequest(bytes) { #expect(registry.host.contains(".azurecr.")) }
            _ = try? KubeRequest(text)
            _ = RegistryTokens.end(of: PrivateText(text))
        }

        #expect(answered > Fuzz.rounds / 100)
    }
}
