// Licensed under the MIT License. See LICENSE.

import HTTPTypes
import Hummingbird

/// Responds with a page if the sessions cannot be read or written because the store does not respond. The cookie is kept, so
/// that no user is signed out.
struct Apology<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request,
        context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as any HTTPResponseError {
            throw error
        } catch {
            // The text is for the operators of the application.
            print("A request failed: \(error)")
            var response = Pages.trouble("Please try again", "Your session cannot be found now. You are still signed in.")
                .response(.serviceUnavailable)
            response.headers[.retryAfter] = "1"
            return response
        }
    }
}
