// Licensed under the MIT License. See LICENSE.

public import struct Foundation.URL

/// Where a run ended.
public struct Outcome: Sendable, Equatable {
    /// What was there.
    public enum Ending: Sendable, Equatable {
        /// A page that asks for nothing the script could answer.
        case page(status: Int, title: String, text: String)
        /// A redirect to a scheme that belongs to an app; nothing was requested there.
        case appScheme
    }

    /// The address of the last page, or of the app's redirect. May carry an authorization code: do not log it.
    public let url: URL

    /// What was found at that address.
    public let ending: Ending

    /// How many requests were sent.
    public let steps: Int
}
