// Licensed under the MIT License. See LICENSE.

/// The stored records that a refresh needs, all of one account and one state of the store.
struct RenewalRecords: Sendable {
    /// The refresh tokens to try.
    let tokens: [RefreshTokenRecord]
    let accounts: [AccountRecord]
    let idTokens: [IDTokenRecord]
}
