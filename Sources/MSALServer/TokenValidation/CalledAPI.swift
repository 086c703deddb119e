// Licensed under the MIT License. See LICENSE.

package import MSALCore

/// The API that a caller has called.
package protocol CalledAPI: AnyObject, Sendable {
    var authority: Authority { get }

    /// Logs the reason of a rejection, and returns it as the API's clients get it.
    func answer(
        _ rejection: MSALTokenRejection,
        to token: String?,
        requiring requirement: MSALRequirement
    ) -> MSALTokenRejection
}
