// Licensed under the MIT License. See LICENSE.

/// Takes the headers to add to a request, or `nil` for none. Only the first call has an effect.
public typealias MSALNativeAuthRequestInterceptorAddHeaderCompletionBlock = ([String: String]?) -> Void

/// Adds headers to the requests of native authentication.
public protocol MSALNativeAuthRequestInterceptor: NSObjectProtocol {
    /// Called before every attempt at a request, also before a repeated one, on any thread; two
    /// requests may call at once.
    ///
    /// Requests of `getAccessToken` are not asked about.
    ///
    /// - Parameters:
    ///   - requestUrl: The complete address of the request.
    ///   - completionBlock: Call it once, from any thread; the request waits for it, or until it is cancelled.
    ///     Headers count if their name begins with `x-`, but not with `x-ms-`, `x-client-`, `x-broker-` or `x-app-`;
    ///     others are dropped without a word. A block that is released without having been called counts as `nil`.
    func addAdditionalHeaderFields(
        _ requestUrl: URL?,
        completionBlock: @escaping MSALNativeAuthRequestInterceptorAddHeaderCompletionBlock
    )
}
