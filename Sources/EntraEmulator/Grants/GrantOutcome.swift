// Licensed under the MIT License. See LICENSE.

import Foundation

/// The tokens that a grant allows; `TokenResponses` issues them.
struct GrantOutcome: Sendable {
    let entitlement: Entitlement
    /// The scopes of this response; a refresh may request another API.
    let scopes: RequestedScopes
    /// The expiry of this response's refresh token; `nil` means a full lifetime from now.
    var refreshTokenExpiry: Date?
    /// Whether the user has signed in with this request, without the pages.
    var isSignIn = false
}
