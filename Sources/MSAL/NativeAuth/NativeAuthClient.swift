// Licensed under the MIT License. See LICENSE.

/// Signs users up and in without a browser (Entra External ID, native authentication).
///
/// There is one method for each transition of a flow. It accepts a state and the user's input, and returns the next
/// step. Between calls, the client keeps nothing except the tokens in the store. Canceling the calling task ends the
/// request, which the failure indicates (``NativeAuthFailure/isCanceled``).
struct NativeAuthClient: Sendable {
    /// The client whose store receives the tokens.
    let tokens: TokenClient
    var configuration: NativeAuthConfiguration
}
