// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization

@testable import MSAL
@testable import MSALCore
@testable import MSALSupport

/// Whether a process grows with the number of native sign-ins that it has seen.
enum NativeSignIns {
    static func run() async throws {
        print("\nNative sign-ins with e-mail and password in one process, each with new tokens of the same user")
        try await withTemporaryStore { folder in
            let application = try Self.application(try folder.open())
            var signIns = 0
            var before = 0
            for goal in [2000, 4000, 6000, 8000, 10_000, 12_000] {
                let time = try await microseconds {
                    while signIns < goal {
                        try await signIn(application)
                        signIns += 1
                    }
                }
                let resident = residentBytes()
                let grown = goal == 2000 ? "" : "   \(sign(resident - before)) KiB"
                print("  \(goal) sign-ins: \(resident / 1024) KiB\(grown), \((time / 2000).shown) each")
                before = resident
            }
        }
    }

    private static func signIn(_ application: MSALNativeAuthPublicClientApplication) async throws {
        let parameters = MSALNativeAuthSignInParameters(username: "megan@contoso.example")
        parameters.password = "correct horse"
        guard case .completed = try await application.signIn(parameters: parameters) else {
            throw CocoaError(.featureUnsupported)
        }
    }

    private static func application(_ store: any TokenStore) throws -> MSALNativeAuthPublicClientApplication {
        let configuration = try MSALNativeAuthPublicClientApplicationConfig(
            clientId: Contents.clientID,
            tenantSubdomain: "contoso",
            challengeTypes: [.password]
        )
        let time = SystemTime()
        let platform = Platform(
            transport: CannedService(),
            agent: SystemBrowserAgent(environment: [:], time: time),
            time: time
        )
        return try MSALNativeAuthPublicClientApplication(
            nativeAuthConfiguration: configuration,
            platform: platform,
            store: store
        )
    }

    private static func sign(_ bytes: Int) -> String { (bytes < 0 ? "" : "+") + "\(bytes / 1024)" }
}

/// A service that lets everybody in at once, with a new token each time.
private final class CannedService: HTTPTransport {
    private let issued = Mutex(0)

    func send(_ message: HTTPMessage) async throws(TransportError) -> HTTPResponse {
        let body: JSONValue
        switch message.url.lastPathComponent {
        case "initiate": body = .object(["continuation_token": .string("first")])
        case "challenge":
            body = .object(["continuation_token": .string("second"), "challenge_type": .string("password")])
        default: body = tokens()
        }
        return HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: Data(body.text.utf8))
    }

    private func tokens() -> JSONValue {
        let number = issued.withLock { issued in
            issued += 1
            return issued
        }
        let claims: JSONValue = .object([
            "aud": .string(Contents.clientID), "tid": .string(Contents.tenant), "oid": .string("megan"),
            "sub": .string("megan"), "preferred_username": .string("megan@contoso.example"),
            "iss": .string("https://\(Contents.tenant).ciamlogin.com/\(Contents.tenant)/v2.0"),
        ])
        let client: JSONValue = .object(["uid": .string("megan"), "utid": .string(Contents.tenant)])
        return .object([
            "token_type": .string("Bearer"), "scope": .string("openid profile offline_access"),
            "expires_in": .integer(3600), "access_token": .string(String(repeating: "a", count: 1600) + "\(number)"),
            "refresh_token": .string(String(repeating: "r", count: 1200) + "\(number)"),
            "id_token": .string("e30.\(Base64URL.encode(Array(claims.text.utf8))).c2ln"),
            "client_info": .string(Base64URL.encode(Array(client.text.utf8))),
        ])
    }
}
