// Licensed under the MIT License. See LICENSE.

public import Hummingbird
import MSALBase

/// A request context with the signed-in user of a web application.
///
/// An application's context conforms with one stored property. Use ``MSALWebContext`` if it does not have its own.
public protocol MSALWebRequestContext: RequestContext {
    /// The user who is signed in to this browser, for routes that were added after ``MSALWebSignIn/addRoutes(to:)``.
    var user: MSALWebUser? { get set }
}

/// A context with the signed-in user, without values of an application.
public struct MSALWebContext: MSALWebRequestContext {
    /// Hummingbird's own storage for a request.
    public var coreContext: CoreRequestContextStorage
    /// The signed-in user.
    public var user: MSALWebUser?

    /// Creates the context of an incoming request.
    public init(source: ApplicationRequestContextSource) { coreContext = CoreRequestContextStorage(source: source) }
}

/// Lets users pass who meet the requirement of a route.
private struct UserRequirement<Context: MSALWebRequestContext>: RouterMiddleware {
    let check: @Sendable (MSALWebUser) async throws -> Void

    func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let user = context.user else { throw MSALSignInRequired() }
        try await check(user)
        return try await next(request, context)
    }
}

extension RouterMethods where Context: MSALWebRequestContext {
    /// A group for signed-in users. Others sign in, and return to the page that they requested.
    public func requiresSignIn() -> RouterGroup<Context> { requiring { _ in } }

    /// A group for signed-in users with this app role. Others get a page that says so.
    public func requires(role: String) -> RouterGroup<Context> {
        requiring { user in if !user.roles.containsExactly(role) { throw MSALWebUser.Refusal(page: .missingRole) } }
    }

    /// A group for signed-in users who have consented to these scopes of one API. Others consent, and return to the page.
    public func requires(scopes: [String]) -> RouterGroup<Context> {
        requiring { user in _ = try await user.token(for: scopes) }
    }

    private func requiring(_ check: @escaping @Sendable (MSALWebUser) async throws -> Void) -> RouterGroup<Context> {
        group().add(middleware: UserRequirement(check: check))
    }
}
