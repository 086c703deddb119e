// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTLS
import MSALHummingbird
import MSALServer

/// A web application that signs its users in, shows their data from Microsoft Graph, and signs them out.
@main struct Site {
    /// Graph's data about a user.
    struct Profile: Decodable {
        let displayName, mail, userPrincipalName: String?
    }

    private let settings: Settings
    private let scopes = ["User.Read"]

    static func main() async {
        do {
            try await Site(settings: Settings(ProcessInfo.processInfo.environment)).run()
        } catch {
            // If the message cannot be read, the exit status shows the failure.
            try? FileHandle.standardError.write(contentsOf: Data("\(error)\n".utf8))
            exit(1)
        }
    }

    private func run() async throws {
        let tokens = try settings.application()
        let server = Application(
            router: try router(tokens),
            server: try settings.serverTLS().map { try .tls(.http1(), tlsConfiguration: $0) } ?? .http1(),
            configuration: .init(address: .hostname("127.0.0.1", port: settings.port))
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            if let sharedCache = settings.sharedCache {
                group.addTask { await sharedCache.run() }
                try await sharedCache.prepare()
            }
            try await server.runService()
            // Tokens from the last requests may still have to be written.
            await tokens.shutDown(within: .seconds(10))
            group.cancelAll()
        }
    }

    private func router(_ tokens: MSALConfidentialClientApplication) throws -> Router<MSALWebContext> {
        var configuration = MSALWebSignInConfiguration(scopes: scopes)
        configuration.confirmsRepeatedSignIn = true
        configuration.page = Pages.message
        let router = Router(context: MSALWebContext.self)
        // A sign-out is a form whose response redirects to the service. Browsers treat that as the form's target.
        let targets = "'self' https://\(settings.authority.host() ?? ""):\(settings.authority.port ?? 443)"
        let policy = "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'"
        router.add(middleware: ProtectiveHeaders(policy: "\(policy); form-action \(targets)"))
        router.get("/style.css") { _, _ in Pages.response(Pages.style, type: "text/css") }
        try MSALWebSignIn(tokens, configuration: configuration).addRoutes(to: router)
        router.get("/") { _, context in
            guard let user = context.user else { return Pages.response(Pages.signedOut) }
            // If the user has to sign in again, or Graph does not respond, the middleware responds with a page.
            let token = try await user.token(for: scopes)
            let profile = try await user.api(at: settings.graph, scopes: scopes).json(Profile.self, from: "me")
            return Pages.response(Pages.home(user, profile: profile, source: token.source.rawValue))
        }
        return router
    }
}

/// Headers that limit what browsers do with the pages.
struct ProtectiveHeaders<Context: RequestContext>: RouterMiddleware {
    let policy: String

    func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        response.headers[.contentSecurityPolicy] = policy
        response.headers[.xContentTypeOptions] = "nosniff"
        if let referrerPolicy = HTTPField.Name("Referrer-Policy") { response.headers[referrerPolicy] = "no-referrer" }
        return response
    }
}
