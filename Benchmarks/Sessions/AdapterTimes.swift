// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase
import MSALCore
import MSALHummingbird
import MSALServer

/// Measures the processor time that an authorization adapter adds to a sign-in, from the client's request and the consent page to
/// the tokens, and to a call of a tool. The service is in this process and takes no time.
struct AdapterTimes {
    private static let tenant = "11111111-1111-4111-8111-111111111111"
    private static let client = "https://client.example/metadata.json"
    private static let redirect = "https://client.example/callback"
    private static let server = "https://tools.contoso.example/mcp"
    private static let verifier = String(repeating: "v", count: 43)

    private let adapter: MSALAuthorizationAdapter

    init() throws {
        var environment = ServerEnvironment.system(MSALCredentialOptions())
        environment.transport = Service()
        environment.authorities = AuthorityResolver(transport: environment.transport, time: environment.time)
        let authority = MSALServerAuthority.tenant(Self.tenant)
        let application = try MSALConfidentialClientApplication(
            configuration: MSALConfidentialClientConfiguration(
                clientId: "99999999-0000-4000-8000-0000000000c1",
                authority: authority,
                credential: .secret("secret")
            ),
            environment: environment
        )
        guard let address = URL(string: Self.server) else { throw Main.Failure() }
        let resource = try MSALProtectedResource(
            resource: address,
            configuration: MSALTokenValidatorConfiguration(clientId: "tools", authority: authority),
            scopes: ["Notes.Read"]
        )
        var configuration = MSALAuthorizationAdapterConfiguration(redirectUris: [Self.redirect])
        configuration.sealingKeys = [try MSALSealingKey(id: 1, secret: 0..<32)]
        configuration.fetchDocument = { _ in
            let document = """
                {"client_id":"\(Self.client)","client_name":"A client","redirect_uris":["\(Self.redirect)"]}
                """
            return MSALClientDocument(body: Data(document.utf8))
        }
        adapter = try MSALAuthorizationAdapter(application, protecting: resource, configuration: configuration)
    }

    /// Microseconds for a sign-in, and for a call of a tool with and without the adapter's routes.
    @concurrent func medians() async throws -> (signIn: Double, call: Double, callWithout: Double) {
        let plain = Router(context: Main.Context.self)
        plain.post("mcp") { _, _ in "a result" }
        let router = Router(context: Main.Context.self)
        router.post("mcp") { _, _ in "a result" }
        router.serve(adapter)
        let (with, without) = (Browser(responder: router.buildResponder()), Browser(responder: plain.buildResponder()))
        let signIn = try await Main.median(of: 100) { try await self.signIn(with) }
        let call = try await Main.median(of: 1000) { _ = try await with.send(.post, "/mcp") }
        let bare = try await Main.median(of: 1000) { _ = try await without.send(.post, "/mcp") }
        return (signIn, call, bare)
    }

    private func signIn(_ browser: Browser) async throws {
        let challenge = PKCE(verifier: Secret(Self.verifier)).challenge
        let request = [
            "response_type": "code", "client_id": Self.client, "redirect_uri": Self.redirect, "state": "s",
            "scope": adapter.resource.scopes[0], "code_challenge": challenge, "code_challenge_method": "S256",
            "resource": Self.server,
        ]
        let page = try await browser.send(.get, "/oauth/authorize", query: request)
        // A regular expression would take longer than the adapter.
        let start = page.body.firstRange(of: #"name="form" value=""#)?.upperBound
        let form = start.map { page.body[$0...].prefix { $0 != "\"" } }
        let forward = try await browser.send(
            .post,
            "/oauth/authorize",
            form: ["form": form.map(String.init) ?? "", "action": "accept"],
            cookies: page.cookies
        )
        let response = ["code": "entra-code", "state": forward.target("state")]
        let cookies = page.cookies + forward.cookies
        let returned = try await browser.send(.get, "/oauth/callback", query: response, cookies: cookies)
        let redemption = [
            "grant_type": "authorization_code", "code": returned.target("code"), "client_id": Self.client,
            "redirect_uri": Self.redirect, "code_verifier": Self.verifier, "resource": Self.server,
        ]
        let tokens = try await browser.send(.post, "/oauth/token", form: redemption)
        guard tokens.body.contains("access_token") else { throw Main.Failure() }
    }

    /// Sends requests to a router.
    private struct Browser {
        let responder: any HTTPResponder<Main.Context>

        func send(
            _ method: HTTPRequest.Method,
            _ path: String,
            query: [String: String] = [:],
            form: [String: String] = [:],
            cookies: [String] = []
        ) async throws -> Answer {
            let path = query.isEmpty ? path : "\(path)?\(Self.encoded(query))"
            var head = HTTPRequest(method: method, scheme: "https", authority: "tools.contoso.example", path: path)
            head.headerFields[.cookie] = cookies.isEmpty ? nil : cookies.joined(separator: "; ")
            if !form.isEmpty { head.headerFields[.contentType] = "application/x-www-form-urlencoded" }
            let body = RequestBody(buffer: ByteBuffer(string: Self.encoded(form)))
            let request = Request(head: head, body: body)
            let response = try await responder.respond(
                to: request,
                context: Main.Context(source: Main.Context.Source())
            )
            let collected = Collector()
            try await response.body.write(collected)
            return Answer(headers: response.headers, body: collected.text)
        }

        private static func encoded(_ parameters: [String: String]) -> String {
            var form = FormBody()
            form.merge(parameters)
            return form.query
        }
    }

    private struct Answer {
        let headers: HTTPFields
        let body: String

        var cookies: [String] { headers[values: .setCookie].map { String($0.prefix { $0 != ";" }) } }

        func target(_ name: String) -> String {
            let items = headers[.location].flatMap { URLComponents(string: $0)?.queryItems } ?? []
            return items.first { $0.name == name }?.value ?? ""
        }
    }

    private final class Collector: ResponseBodyWriter {
        private(set) var text = ""

        func write(_ buffer: ByteBuffer) async throws { text += String(buffer: buffer) }

        consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }

    /// The metadata and the token endpoint.
    private struct Service: HTTPTransport {
        func send(_ message: HTTPMessage) async throws(TransportError) -> MSALCore.HTTPResponse {
            let host = "https://login.microsoftonline.com/\(AdapterTimes.tenant)"
            let document = """
                {"issuer":"\(host)/v2.0","authorization_endpoint":"\(host)/oauth2/v2.0/authorize",
                "token_endpoint":"\(host)/oauth2/v2.0/token","jwks_uri":"\(host)/discovery/v2.0/keys"}
                """
            let tokens = """
                {"token_type":"Bearer","access_token":"\(String(repeating: "a", count: 1500))","expires_in":3600,
                "refresh_token":"\(String(repeating: "r", count: 1000))","scope":"api://tools/Notes.Read"}
                """
            return MSALCore.HTTPResponse(
                status: 200,
                headers: ["Content-Type": "application/json"],
                body: Data((message.method == "POST" ? tokens : document).utf8)
            )
        }
    }
}
