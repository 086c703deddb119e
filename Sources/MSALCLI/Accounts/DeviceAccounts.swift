// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import MSAL

/// The accounts that the identity broker of this machine offers.
struct DeviceAccounts {
    private let application: MSALPublicClientApplication

    init(of application: MSALPublicClientApplication) {
        self.application = application
    }

    /// The client's own accounts without those that the device has no more, and those that the device offers besides. If the
    /// broker fails, that is said on standard error, and the client's own are all.
    func added(to own: [MSALAccount]) async -> [MSALAccount] {
        do {
            return try await application.accountsFromDevice(for: MSALAccountEnumerationParameters())
        } catch {
            let words = (error as NSError).words
            Terminal.errors.write("The accounts of the identity broker are not known. \(words)")
            return own
        }
    }

    /// The account of the device that is meant by `name`, else by the default, or the only one where nobody is named;
    /// `nil` if no account matches, or if several do.
    func account(_ name: String?, default usual: String?) async -> MSALAccount? {
        let offered = await added(to: []).filter(\.isSSOAccount)
        // Who is meant is known, or nobody is.
        let position = try? AccountChoice.choose(
            name,
            default: usual,
            among: offered.map(AccountChoice.Candidate.init)
        )
        return position.map { offered[$0] }
    }

    /// The account that is meant by `name`, else by the default, of this client or of the device; `nil` where nobody is
    /// named.
    ///
    /// - Throws: `Failure` with the status `notSignedIn` or `usage`, unless one account fits; `NSError` if the token store
    ///   cannot be read.
    func named(_ name: String?, default usual: String?) async throws -> MSALAccount? {
        guard name != nil || usual != nil else { return nil }
        let all = await added(to: try application.allAccounts())
        return all[try AccountChoice.choose(name, default: usual, among: all.map(AccountChoice.Candidate.init))]
    }
}
