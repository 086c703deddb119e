// Licensed under the MIT License. See LICENSE.

import AsyncHTTPClient
import Crypto
import EntraEmulator
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL
import TestSupport
import Testing

/// One running emulator and an HTTP client that trusts it.
struct Bench {
    let emulator: Emulator
    let client: HTTPClient
    let base: String

    static let tenant = "11111111-1111-1111-1111-111111111111"
    static let redirect = "http://localhost:5000"
    /// The claims of a client that handles claims challenges, so that its access tokens can be revoked.
    static let capable = #"{"access_token":{"xms_cc":{"values":["cp1"]}}}"#
    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

    /// One certificate authority for all tests: generating keys costs more than the tests themselves.
    /// It holds every other file of these tests too, and goes when the process ends.
    static let stateDirectory: URL = {
        // At the end of the process, a failure cannot be reported.
        atexit { try? FileManager.default.removeItem(at: Bench.stateDirectory) }
        let folder = FileManager.default.temporaryDirectory.appending(path: "entra-emulator-tests-\(getpid())")
        // Closed to others before a test puts a folder of its own there: an emulator would refuse it then. Where it
        // cannot be made, every start says why.
        mkdir(folder.path, 0o700)
        return folder
    }()

    /// The folder of an emulator that has the usual one. Another name may need another authority, and the tests in the
    /// shared folder trust the one that is there.
    private static func folder(for configuration: EmulatorConfiguration) throws -> URL {
        let listens = configuration.listenAddress != nil || configuration.controlListenAddress != nil
        if listens || !configuration.additionalHosts.isEmpty || configuration.publicURL != nil {
            return try newState()
        }
        return configuration.certifiesServiceNames ? stateDirectory.appending(path: "service-names") : stateDirectory
    }

    /// A state folder of a test's own. The emulator makes a new certificate authority there. The key that signs tokens is
    /// one of `SharedKeys`.
    static func newState() throws -> URL {
        let folder = stateDirectory.appending(path: "folder-\(UUID().uuidString)")
        try SharedKeys.makeEmulatorState(at: folder)
        return folder
    }

    /// Starts an emulator, runs the test against it and stops it again.
    static func run(
        _ change: (inout EmulatorConfiguration) -> Void = { _ in },
        _ body: (Bench) async throws -> Void
    ) async throws {
        var configuration = EmulatorConfiguration()
        configuration.stateDirectory = stateDirectory
        change(&configuration)
        if configuration.stateDirectory == stateDirectory {
            configuration.stateDirectory = try folder(for: configuration)
        }
        let emulator = try await Emulator.start(configuration)
        var tls = TLSConfiguration.makeClientConfiguration()
        let roots = try NIOSSLCertificate.fromPEMFile(emulator.certificateAuthorityFile.path)
        tls.trustRoots = .certificates(roots)
        var settings = HTTPClient.Configuration(tlsConfiguration: tls)
        settings.redirectConfiguration = .disallow
        let client = HTTPClient(configuration: settings)
        let result: Result<Void, any Error>
        do {
            try await body(Bench(emulator: emulator, client: client, base: "https://localhost:\(emulator.port)"))
            result = .success(())
        } catch {
            result = .failure(error)
        }
        try await client.shutdown()
        try await emulator.shutdown()
        try result.get()
    }

    /// Lets another client act, for which these names are the emulator's, and which shows this certificate when it is asked.
    func withClient(
        reaching hosts: [String],
        showing signer: AssertionSigner? = nil,
        act: (Bench) async throws -> Void
    ) async throws {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(emulator.certificateAuthorityFile.path))
        if let signer {
            tls.certificateChain = try NIOSSLCertificate.fromPEMBytes(Array(signer.pem.utf8)).map { .certificate($0) }
            tls.privateKey = .privateKey(try NIOSSLPrivateKey(bytes: Array(signer.keyPEM.utf8), format: .pem))
        }
        var settings = HTTPClient.Configuration(tlsConfiguration: tls)
        for host in hosts { settings.dnsOverride[host] = "127.0.0.1" }
        let client = HTTPClient(configuration: settings)
        let result: Result<Void, any Error>
        do {
            try await act(Bench(emulator: emulator, client: client, base: base))
            result = .success(())
        } catch {
            result = .failure(error)
        }
        try await client.shutdown()
        try result.get()
    }

    /// A response, read to its end.
    struct Response {
        let status: Int
        let headers: HTTPHeaders
        let text: String

        var location: String? { headers.first(name: "location") }

        func json() throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        }

        func errorCode() throws -> Int? { (try json()["error_codes"] as? [Int])?.first }

        /// The heading of a page.
        var heading: String? { part(from: "<h1>", to: "</h1>") }

        func part(from start: String, to end: String) -> String? {
            guard let from = text.range(of: start), let to = text[from.upperBound...].range(of: end) else { return nil }
            return String(text[from.upperBound..<to.lowerBound])
        }

        /// The parameters of the redirect, of query or fragment.
        var parameters: [String: String] {
            guard let location, let mark = location.firstIndex(where: { $0 == "?" || $0 == "#" }) else { return [:] }
            var parts = URLComponents()
            parts.percentEncodedQuery = String(location[location.index(after: mark)...])
            return Dictionary((parts.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { $1 }
        }
    }

    func send(
        _ method: HTTPMethod,
        to path: String,
        form: [String: String]? = nil,
        headers: [String: String] = [:],
        body: String? = nil
    ) async throws -> Response {
        var request = HTTPClientRequest(url: path.hasPrefix("https:") ? path : base + path)
        request.method = method
        for (name, value) in headers { request.headers.replaceOrAdd(name: name, value: value) }
        if let form {
            request.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
            request.body = .bytes(ByteBuffer(string: Self.encode(form)))
        } else if let body {
            request.body = .bytes(ByteBuffer(string: body))
        }
        let response = try await client.execute(request, timeout: .seconds(20))
        let buffer = try await response.body.collect(upTo: 1 << 20)
        return Response(status: Int(response.status.code), headers: response.headers, text: String(buffer: buffer))
    }

    func get(_ path: String, token: String? = nil) async throws -> Response {
        try await send(.GET, to: path, headers: token.map { ["authorization": "Bearer \($0)"] } ?? [:])
    }

    /// The address of an authorization request; `nil` removes a parameter.
    func authorizeURL(tenant: String = Bench.tenant, changing changes: [String: String?] = [:]) -> String {
        var parameters: [String: String] = [
            "client_id": emulator.seed.clientID, "response_type": "code", "redirect_uri": Self.redirect,
            "scope": "User.Read openid profile offline_access", "state": "s&t<", "nonce": "n-1",
            "code_challenge": Self.challenge(Self.verifier), "code_challenge_method": "S256",
        ]
        for (name, value) in changes { parameters[name] = value }
        return "/\(tenant)/oauth2/v2.0/authorize?" + Self.encode(parameters)
    }

    func redeem(
        _ code: String,
        changing changes: [String: String?] = [:],
        tenant: String = Bench.tenant
    ) async throws -> Response {
        var form = [
            "grant_type": "authorization_code", "client_id": emulator.seed.clientID, "code": code,
            "redirect_uri": Self.redirect, "code_verifier": Self.verifier, "client_info": "1",
        ]
        for (name, value) in changes { form[name] = value }
        return try await send(.POST, to: "/\(tenant)/oauth2/v2.0/token", form: form)
    }

    func refresh(_ token: String, scope: String = "User.Read openid profile offline_access") async throws -> Response {
        try await send(
            .POST,
            to: "/\(Self.tenant)/oauth2/v2.0/token",
            form: [
                "grant_type": "refresh_token", "client_id": emulator.seed.clientID, "refresh_token": token,
                "scope": scope,
            ]
        )
    }

    /// Signs Megan in and redeems the code.
    func tokens(_ changes: [String: String?] = [:]) async throws -> [String: Any] {
        let browser = Browser(self)
        let response = try await browser.signIn(authorizeURL(changing: changes))
        return try await redeem(try #require(response.parameters["code"])).json()
    }

    static func challenge(_ verifier: String) -> String {
        base64URL(Data(SHA256.hash(data: Data(verifier.utf8))).base64EncodedString())
    }

    static func base64URL(_ base64: String) -> String {
        base64.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }

    static func encode(_ values: [String: String]) -> String {
        let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))
        return values.map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")"
        }
        .joined(separator: "&")
    }

    static func claims(_ token: Any?) throws -> [String: Any] {
        let parts = try #require(token as? String).split(separator: ".")
        var payload = String(parts[1]).replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        while payload.count % 4 != 0 { payload += "=" }
        let data = try #require(Data(base64Encoded: payload))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }
}

/// A browser without a screen: it keeps cookies and fills in forms.
final class Browser {
    private let bench: Bench
    private(set) var cookies: [String: String]
    var page: Bench.Response?

    init(_ bench: Bench, cookies: [String: String] = [:]) {
        self.bench = bench
        self.cookies = cookies
    }

    /// Opens an address; `site` is what the browser says of the page that leads there, if it says so.
    @discardableResult
    func open(_ path: String, from site: String? = nil) async throws -> Bench.Response {
        try await visit(.GET, path: path, form: nil, site: site)
    }

    /// Posts a form that is on no page of the emulator.
    @discardableResult
    func post(_ path: String, form: [String: String], from site: String? = nil) async throws -> Bench.Response {
        try await visit(.POST, path: path, form: form, site: site)
    }

    /// Sends the form of the current page with these fields; its hidden fields come along.
    @discardableResult
    func submit(_ fields: [String: String]) async throws -> Bench.Response {
        let page = try #require(page)
        var form = fields
        for piece in page.text.components(separatedBy: "<input type=\"hidden\" name=\"").dropFirst() {
            let parts = piece.components(separatedBy: "\"")
            if form[parts[0]] == nil { form[parts[0]] = parts[2] }
        }
        return try await visit(.POST, path: try #require(page.part(from: "action=\"", to: "\"")), form: form)
    }

    /// Signs in as somebody new to this browser and accepts what is asked.
    func signIn(
        _ path: String,
        as name: String = "megan@contoso.example",
        password: String = "Pa55-word!",
        stay: String = "no"
    ) async throws
        -> Bench.Response
    {
        var response = try await open(path)
        for _ in 0..<6 where response.status == 200 {
            switch response.heading {
            case "Sign in": response = try await submit(["login": name, "action": "next"])
            case "Enter password": response = try await submit(["passwd": password, "action": "signin"])
            case "Stay signed in?": response = try await submit(["action": stay])
            case "Permissions requested": response = try await submit(["action": "accept"])
            default: return response
            }
        }
        return response
    }

    private func visit(
        _ method: HTTPMethod,
        path: String,
        form: [String: String]?,
        site: String? = nil
    ) async throws -> Bench.Response {
        var headers: [String: String] = [:]
        headers["sec-fetch-site"] = site
        // SameSite=None: the form of another site brings the cookies, too.
        if !cookies.isEmpty {
            headers["cookie"] = cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        }
        let response = try await bench.send(method, to: path, form: form, headers: headers)
        for field in response.headers["set-cookie"] {
            let pair = field.split(separator: ";")[0].split(separator: "=", maxSplits: 1).map(String.init)
            cookies[pair[0]] = pair.count == 2 ? pair[1] : nil
        }
        page = response
        return response
    }
}
