// Licensed under the MIT License. See LICENSE.

public import struct Foundation.URL

/// The result of a run.
public struct Outcome: Sendable, Equatable {
    /// How a run ended.
    public enum Ending: Sendable, Equatable {
        /// A page without a form that the script can fill in.
        case page(status: Int, title: String, text: String)
        /// A redirect to the scheme of an app, which was not followed.
        case appScheme
        /// An address at which the run was told to stop, and which was not requested. `form` is the encoded form that
        /// would have been sent, if it was one; it may contain an authorization code.
        case stopped(form: String?)
    }

    /// The address of the last page, or of the app's redirect. It may contain an authorization code: do not log it.
    public let url: URL

    /// The page or redirect at that address.
    public let ending: Ending

    /// The number of requests that were sent.
    public let steps: Int
}
