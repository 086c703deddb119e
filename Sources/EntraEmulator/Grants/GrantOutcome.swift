// Licensed under the MIT License. See LICENSE.

import Foundation

/// The tokens that a grant allows; `TokenResponses` issues them.
struct GrantOutcome: Sendable {
    let entitlement: Entitlement
    /// The scopes of this response; a refresh may ask for another API.
    let scopes: RequestedScopes
    /// The end of this response's refresh token; `nil` means a full lifetime from now.
    var refreshTokenExpiry: Date?
}
