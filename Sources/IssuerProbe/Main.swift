// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore

/// `IssuerProbe ISSUER`: prints the metadata of an OpenID Connect provider.
///
/// The program stands on `MSALCore` alone. `scripts/check-structure` looks into it to see what the core brings along.
@main struct Main {
    static func main() async {
        guard CommandLine.arguments.count == 2 else { stop("usage: IssuerProbe https://ISSUER") }
        do throws(AuthorityError) {
            print(try await report(on: try Authority.oidc(try Authority.url(CommandLine.arguments[1]))))
        } catch {
            stop(error.message)
        }
    }

    private static func report(on authority: Authority) async throws(AuthorityError) -> String {
        let resolver = AuthorityResolver(
            transport: RetryingTransport(base: AsyncHTTPClientTransport(), time: SystemTime()),
            time: SystemTime()
        )
        let correlationID = UUID.random()
        let resolved = try await resolver.resolve(authority, policy: AuthorityPolicy(), correlationID: correlationID)
        let metadata = resolved.configuration
        let keys = try await resolver.keys(for: metadata, keyID: nil, correlationID: correlationID)
        let members: [String: JSONValue] = [
            "issuer": .string(metadata.issuer),
            "authorization_endpoint": .string(metadata.authorizationEndpoint.absoluteString),
            "token_endpoint": .string(metadata.tokenEndpoint.absoluteString),
            "end_session_endpoint": metadata.endSessionEndpoint.map { .string($0.absoluteString) } ?? .null,
            "signing_keys": .array(keys.map { $0.kid.map(JSONValue.string) ?? .null }),
        ]
        return String(decoding: JSONWriter.bytes(of: .object(members), indentation: 2), as: UTF8.self)
    }

    private static func stop(_ message: String) -> Never {
        // The exit status says it too, in case nobody can read the message.
        try? FileHandle.standardError.write(contentsOf: Data("IssuerProbe: \(message)\n".utf8))
        exit(1)
    }
}
