// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import Logging
import MSALHummingbird
import MSALServer
import MSALStoreConformance

/// Prints the microseconds of processor time for a page of a web application that only checks the session: with sessions in
/// memory, with sessions in a shared store, and without sessions.
///
/// The store is in this process, so the time includes sealing, but neither a driver nor a network. With the argument `adapter`,
/// prints what ``AdapterTimes`` measures instead.
@main struct Main {
    struct Failure: Error {}

    struct Context: MSALWebRequestContext {
        struct Source: RequestContextSource {
            let logger = Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() }
        }

        var coreContext: CoreRequestContextStorage
        var user: MSALWebUser?

        init(source: Source) { coreContext = CoreRequestContextStorage(source: source) }
    }

    static func main() async throws {
        if CommandLine.arguments.contains("adapter") {
            let times = try await AdapterTimes().medians()
            return print(times.signIn, times.call, times.callWithout)
        }
        let key = try MSALSealingKey(id: 1, secret: 0..<32)
        let shared = try MSALSharedCacheConfiguration(MSALMemoryStore(), keys: [key])
        let memory = try await median(MSALTokenCache(), path: "/account")
        let store = try await median(MSALTokenCache(shared: shared), path: "/account")
        let none = try await median(MSALTokenCache(), path: "/public")
        print(memory, store, none)
    }

    /// Microseconds for a request.
    @concurrent private static func median(_ cache: MSALTokenCache, path: String) async throws -> Double {
        var configuration = MSALConfidentialClientConfiguration(
            clientId: "00000000-0000-4000-8000-000000000010",
            authority: .tenant("contoso.example"),
            credential: .secret("secret")
        )
        configuration.redirectUri = "https://app.contoso.example/signin-oidc"
        configuration.cache = cache
        let router = Router(context: Context.self)
        router.get("public") { _, _ in "public" }
        let signIn = try MSALWebSignIn(MSALConfidentialClientApplication(configuration: configuration))
        signIn.addRoutes(to: router)
        router.requiresSignIn().get("account") { _, context in context.user?.objectId ?? "" }
        let responder = router.buildResponder()

        // The claims of a usual ID token.
        let names = [
            "aud", "iss", "idp", "name", "nonce", "oid", "preferred_username", "rh", "sid", "sub", "tid", "uti", "ver",
        ]
        var claims = Dictionary(uniqueKeysWithValues: names.map { ($0, MSALClaimValue.string("\($0)-\(UUID())")) })
        for name in ["iat", "nbf", "exp"] { claims[name] = .integer(1_800_000_000) }
        claims["roles"] = .array([.string("Orders.Read"), .string("Orders.Write")])
        let id = try await signIn.sessions.open(user: "user", claims: claims)
        let head = HTTPRequest(
            method: .get,
            scheme: "https",
            authority: "app.contoso.example",
            path: path,
            headerFields: [.cookie: "theme=dark; __Host-session=\(id)"]
        )

        return try await median(of: 1000) {
            let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
            let response = try await responder.respond(to: request, context: Context(source: Context.Source()))
            guard response.status == .ok else { throw Failure() }
        }
    }

    /// The median of 31 samples, each the mean of some calls, after one that warms up.
    static func median(of count: Int, _ call: () async throws -> Void) async throws -> Double {
        var samples: [Double] = []
        for sample in 0...31 {
            let start = processorMicroseconds
            for _ in 0..<count { try await call() }
            if sample > 0 { samples.append((processorMicroseconds - start) / Double(count)) }
        }
        return samples.sorted()[samples.count / 2]
    }

    private static var processorMicroseconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }
}
