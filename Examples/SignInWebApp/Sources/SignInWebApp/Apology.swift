// Licensed under the MIT License. See LICENSE.

import HTTPTypes
import Hummingbird

/// Answers with a page where the sessions cannot be read or written, because the store does not answer. The cookie stays, so
/// that nobody is signed out.
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
            // The text is for those who run the application.
            print("A request failed: \(error)")
            var response = Pages.trouble("Please try again", "Your session cannot be found now. You are still signed in.")
                .response(.serviceUnavailable)
            response.headers[.retryAfter] = "1"
            return response
        }
    }
}
