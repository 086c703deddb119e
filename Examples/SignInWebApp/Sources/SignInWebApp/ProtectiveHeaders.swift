// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird

/// Headers that limit what browsers do with the pages.
struct ProtectiveHeaders<Context: RequestContext>: RouterMiddleware {
    private let policy: String

    /// `authority`: A sign-out is a form whose response redirects there. Browsers treat that as the form's target.
    init(signsOutAt authority: URL) {
        let port = authority.port.map { ":\($0)" } ?? ""
        policy =
            "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'; "
            + "form-action 'self' https://\(authority.host() ?? "")\(port)"
    }

    func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        for (name, value) in [
            ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
        ] {
            if let name = HTTPField.Name(name) { response.headers[name] = value }
        }
        return response
    }
}
