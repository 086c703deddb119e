// Licensed under the MIT License. See LICENSE.

/// Receives the headers to add to a request, or `nil` for none. Only the first call has an effect.
public typealias MSALNativeAuthRequestInterceptorAddHeaderCompletionBlock = ([String: String]?) -> Void

/// Adds headers to the requests of native authentication.
public protocol MSALNativeAuthRequestInterceptor: NSObjectProtocol {
    /// Called before every attempt of a request, including retries, on any thread; two requests may call it
    /// concurrently.
    ///
    /// Not called for requests of `getAccessToken`.
    ///
    /// - Parameters:
    ///   - requestUrl: The complete URL of the request.
    ///   - completionBlock: Call it once, from any thread; the request waits for it until it is canceled. Only headers
    ///     whose name begins with `x-`, but not with `x-ms-`, `x-client-`, `x-broker-`, or `x-app-`, are used; others
    ///     are silently dropped. A block that is released without being called counts as `nil`.
    func addAdditionalHeaderFields(
        _ requestUrl: URL?,
        completionBlock: @escaping MSALNativeAuthRequestInterceptorAddHeaderCompletionBlock
    )
}
