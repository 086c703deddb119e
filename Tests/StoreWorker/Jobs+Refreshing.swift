// Licensed under the MIT License. See LICENSE.

import Foundation
import Glibc
import MSAL
import MSALBase
import MSALCore
import SealedStore

extension Jobs {
    /// `log=FILE start=FILE`: waits for the file `start`, then asks for a token whose stored one has expired. Each
    /// request to the token endpoint is a line in `log`, whichever process sends it.
    func refreshSilently() async throws {
        let log = settings["log"] ?? settings.directory + "/requests"
        let time = SystemTime()
        let authority = try Authority.aad(try url("https://login.microsoftonline.com/\(Numbered.tenant)"))
        var configuration = ClientConfiguration(
            clientID: Numbered.clientID,
            authority: authority,
            redirectURI: .loopback
        )
        configuration.verifiesIDTokenSignature = false
        let client = TokenClient(
            configuration: configuration,
            platform: Platform(transport: CountedService(log: log, time: time), agent: NoBrowser(), time: time),
            store: try settings.bufferedStore(),
            session: CurrentSession()
        )
        Main.say("ready")
        while let start = settings["start"], access(start, F_OK) != 0 { try await time.sleep(for: .milliseconds(2)) }
        let account = AccountReference(
            homeAccountID: Numbered.homeAccountID(0),
            username: nil,
            environment: Numbered.environment
        )
        let request = SilentRequest(
            token: TokenRequest(scopes: ScopeSet(parsing: Numbered.scope)),
            account: account
        )
        let result = try await client.silent.acquire(request)
        Main.say("token \(result.accessToken.exposed)")
    }

    private func url(_ text: String) throws -> URL {
        guard let url = URL(string: text) else { throw StoreError(.invalidLocation, message: "No URL: \(text)") }
        return url
    }
}

/// The identity platform as far as a refresh needs it. Counts in a file what all processes send.
private struct CountedService: HTTPTransport {
    let log: String
    let time: any TimeSource

    func send(_ message: HTTPMessage) async throws(TransportError) -> HTTPResponse {
        let path = message.url.path
        let host = "https://login.microsoftonline.com/\(Numbered.tenant)"
        if path.hasSuffix("openid-configuration") {
            return reply(
                """
                {"issuer":"\(host)/v2.0","authorization_endpoint":"\(host)/oauth2/v2.0/authorize",
                "token_endpoint":"\(host)/oauth2/v2.0/token","jwks_uri":"\(host)/discovery/v2.0/keys"}
                """
            )
        }
        guard path.hasSuffix("/token") else { return reply("{}", status: 404) }
        let descriptor = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, mode_t(0o600))
        let line = Array("\(getpid())\n".utf8)
        _ = write(descriptor, line, line.count)
        close(descriptor)
        // As slow as a network, so that the others come while the answer is under way.
        try? await time.sleep(for: .milliseconds(300))
        let clientInfo = Base64URL.encode(Array(#"{"uid":"fake-person-0","utid":"\#(Numbered.tenant)"}"#.utf8))
        return reply(
            """
            {"token_type":"Bearer","scope":"\(Numbered.scope)","expires_in":3600,"access_token":"fake-at-new",
            "refresh_token":"fake-rt-new","client_info":"\(clientInfo)"}
            """
        )
    }

    private func reply(_ text: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, headers: ["Content-Type": "application/json"], body: Data(text.utf8))
    }
}

/// Nobody signs in here.
private struct NoBrowser: AuthorizationAgent {
    func authorize(_ visit: AuthorizationVisit) async throws(AgentError) -> AuthorizationReturn {
        throw AgentError(.noBrowser, message: "A worker has no browser.")
    }
}
