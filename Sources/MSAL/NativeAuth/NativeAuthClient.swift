// Licensed under the MIT License. See LICENSE.

/// Signs users up and in without a browser (Entra External ID, native authentication).
///
/// There is one method for each transition of a flow. It takes a state and the user's input and returns the next step.
/// Between calls the client keeps nothing but the tokens in the store. Cancelling the calling task ends the request,
/// and the failure says so (``NativeAuthFailure/isCanceled``).
struct NativeAuthClient: Sendable {
    /// The client whose store takes the tokens.
    let tokens: TokenClient
    var configuration: NativeAuthConfiguration
}
