// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import TestSupport
import Testing

@testable import MSALCLI

/// What git, Docker and Kubernetes ask for, and whether they get it.
struct HelperRequestTests {
    // MARK: git

    private func request(_ host: String, scheme: String = "https", more: String = "") throws -> GitRequest {
        try GitRequest("protocol=\(scheme)\nhost=\(host)\n\(more)\n")
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
    func `git hears nothing about another host`(host: String) throws {
        // A host with a dot at its end is one of ours in another spelling.
        guard !host.hasSuffix(".") else {
            #expect(throws: Failure.self) { try request(host).isAnswered() }
            return
        }
        #expect(try !request(host).isAnswered())
    }

    @Test(arguments: [
        ("DEV.azure.com", "small letters"), ("dev.azure.com:443", "a port"), ("dev.azure.com:8443", "a port"),
        ("dev.azure.com/contoso", "a path"), ("megan@dev.azure.com", "a user name"),
        ("attacker.example@dev.azure.com", "a user name"), ("dev.azure.com?x", "a path"), ("dev.azure.com#x", "a path"),
    ])
    func `git is refused a host in another spelling`(host: String, reason: String) throws {
        let failure = try #require(throws: Failure.self) { try request(host).isAnswered() }

        #expect(failure.status == .usage)
        #expect(failure.message.contains(reason))
    }

    @Test(arguments: ["http", "ssh", "HTTPS", ""])
    func `git gets a token over https alone`(scheme: String) throws {
        #expect(throws: Failure.self) { try request("dev.azure.com", scheme: scheme).isAnswered() }
    }

    @Test(arguments: ["host=a\rb", "host=a\u{0}", "host", "=a", "wwwauth[]=a\u{1B}"])
    func `git is refused a request that is none`(line: String) throws {
        let failure = try #require(throws: Failure.self) { try GitRequest("protocol=https\n\(line)\n") }

        #expect(failure.status == .usage)
    }

    @Test func `the user name of an address is an account where it has an @, and stays`() throws {
        let end = Date(timeIntervalSince1970: 1_700_000_000)
        let person = try request(
            "dev.azure.com",
            more: "username=megan@contoso.example\npath=a\ncapability[]=authtype\n"
        )
        let organization = try request("dev.azure.com", more: "username=contoso\n")

        #expect(person.account == "megan@contoso.example" && organization.account == nil)
        #expect(
            organization.credential(PrivateText("T"), accountName: "megan@contoso.example", expiresOn: end)
                == "username=contoso\npassword=T\npassword_expiry_utc=1700000000\n"
        )
        #expect(
            try request("dev.azure.com").credential(PrivateText("T"), accountName: "megan", expiresOn: nil)
                == "username=megan\npassword=T\n"
        )
    }

    @Test func `a request of 64 KiB is not read`() throws {
        let pipe = Pipe()
        let text = "host=" + String(repeating: "a", count: 65_536)
        Thread.detachNewThread {
            try? pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
            try? pipe.fileHandleForWriting.close()
        }

        let failure = try #require(throws: Failure.self) {
            try HelperInput.text(from: pipe.fileHandleForReading.fileDescriptor)
        }

        #expect(failure.message.contains("longer than"))
        _ = try pipe.fileHandleForReading.readToEnd()
    }

    @Test func `an empty line ends a request, although git goes on listening`() throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("host=a\n\n".utf8))

        let text = try HelperInput.text(from: pipe.fileHandleForReading.fileDescriptor, endsAtEmptyLine: true)

        #expect(text == "host=a\n\n")
    }

    // MARK: Docker

    @Test(arguments: ["contoso.azurecr.io", "https://contoso.azurecr.io", "contoso.azurecr.us\n", "a.b.azurecr.cn"])
    func `Docker gets a token for Azure Container Registry`(text: String) throws {
        let host = text.trimmingCharacters(in: .newlines).replacing("https://", with: "")
        #expect(try RegistryRequest(text).host == host)
    }

    @Test(arguments: [
        "docker.io", "azurecr.io", "contoso.azurecr.io.attacker.example", "xazurecr.io", "", "https://quay.io/v1",
    ])
    func `Docker hears in its own words that another registry is not known`(text: String) throws {
        let failure = try #require(throws: Failure.self) { try RegistryRequest(text) }

        #expect(failure.message == "credentials not found in native keychain")
        #expect(failure.remedy == nil)
    }

    @Test(arguments: [
        "CONTOSO.azurecr.io", "contoso.azurecr.io:443", "https://contoso.azurecr.io/v2/",
        "https://u@contoso.azurecr.io",
        "http://contoso.azurecr.io", "contoso.azurecr.io\nx", "contoso.azurecr.io\r",
    ])
    func `Docker is refused a registry in another spelling`(text: String) throws {
        let failure = try #require(throws: Failure.self) { try RegistryRequest(text) }

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
    func `a token goes to the registries of its own cloud`(host: String, environment: String, goes: Bool) throws {
        let registry = try RegistryRequest(host)

        let isSent = (try? registry.check(environment: environment)) != nil

        #expect(isSent == goes)
    }

    @Test func `a registry exchanges the token, and its refusal has its own words`() async throws {
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

        #expect(refused?.message == "contoso.azurecr.io answered 401: no role")
        #expect(refused?.remedy?.contains("AcrPull") == true)
        #expect(page?.message == "contoso.azurecr.io answered 401. \(GraphAnswer.portalHint)")
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

    @Test func `a registry's token is kept sealed until it ends`() throws {
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

        // A damaged file is as good as none, and one that has ended goes when another is kept.
        try (bytes.dropLast() + [bytes[bytes.count - 1] ^ 1]).write(to: file)
        #expect(tokens.token(for: "a.azurecr.io", exchangedFor: access) == nil)
        tokens.keep(token, for: "a.azurecr.io", exchangedFor: access)
        let next = RegistryTokens(beside: store, now: now.addingTimeInterval(4000))
        next.keep(self.token(endsIn: 3600, from: next.now), for: "b.azurecr.io", exchangedFor: access)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place).count == 1)
    }

    @Test(arguments: ["", "a.b", "a.b.c", "a.e30.c", "a.eyJleHAiOjFlOTk5fQ.c", "a.eyJleHAiOiJ4In0.c"])
    func `a token that does not say when it ends is not kept`(text: String) throws {
        #expect(RegistryTokens.end(of: PrivateText(text)) == nil)
    }

    // MARK: Kubernetes

    @Test(arguments: ["v1", "v1beta1"])
    func `Kubernetes is answered in the version that it asks for`(version: String) throws {
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

    @Test func `it is answered in version 1 where it says nothing`() throws {
        #expect(try KubeRequest(nil).version == "client.authentication.k8s.io/v1")
        #expect(try KubeRequest("").version == "client.authentication.k8s.io/v1")
    }

    @Test(arguments: [
        "nonsense", "[]", "{}", #"{"kind": "ExecCredential"}"#,
        #"{"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1alpha1"}"#,
        #"{"kind": "Pod", "apiVersion": "client.authentication.k8s.io/v1"}"#,
        #"{"kind": "ExecCredential", "apiVersion": 1}"#, String(repeating: " ", count: 65_536),
    ])
    func `it is refused in a version that nobody speaks here`(information: String) throws {
        let failure = try #require(throws: Failure.self) { try KubeRequest(information) }

        #expect(failure.status == .usage)
    }

    @Test(arguments: ["", "a b", "a\n", "é"])
    func `a server's id is one word`(id: String) throws {
        #expect(throws: Failure.self) { try KubeRequest.scope(id) }
    }
}

/// Random requests of other programs.
struct HelperFuzzTests {
    @Test func `no request ends the process, and no other host gets a token`() throws {
        var fuzz = Fuzz(
            corpus: [
                "protocol=https\nhost=dev.azure.com\nusername=a@b\n\n",
                "protocol=https\nhost=contoso.visualstudio.com\n\n",
            ].map { Array($0.utf8) },
            words: [
                "\n", "=", "host=", "https", "@", ":", "/", ".", "visualstudio.com", "attacker.example", "%", "[]=",
            ]
        )
        var answered = 0

        fuzz.run { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            if let request = try? GitRequest(text), (try? request.isAnswered()) == true {
                answered += 1
                #expect(request.scheme == "https")
                #expect(request.host == "dev.azure.com" || request.host.hasSuffix(".visualstudio.com"))
                let letters = Set("abcdefghijklmnopqrstuvwxyz0123456789-.")
                #expect(request.host.allSatisfy(letters.contains))
            }
            if let registry = try? RegistryRequest(text) { #expect(registry.host.contains(".azurecr.")) }
            _ = try? KubeRequest(text)
            _ = RegistryTokens.end(of: PrivateText(text))
        }

        #expect(answered > 50)
    }
}
