// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import MSAL

/// The accounts that the identity broker of this machine offers.
struct DeviceAccounts {
    private let application: MSALPublicClientApplication

    init(of application: MSALPublicClientApplication) { self.application = application }

    /// The client's own accounts and those that the device offers. Own accounts that the device no longer has are left
    /// out. If the broker fails, a line on standard error says so, and the result is the client's own accounts.
    func added(to own: [MSALAccount]) async -> [MSALAccount] {
        do {
            return try await application.accountsFromDevice(for: MSALAccountEnumerationParameters())
        } catch {
            let words = (error as NSError).userMessage
            Terminal.errors.write("Cannot list the accounts of the identity broker. \(words)")
            return own
        }
    }

    /// The account of the device that `name` means, else the default account, else the only account; `nil` if no
    /// account or several match.
    func account(_ name: String?, default usual: String?) async -> MSALAccount? {
        let offered = await added(to: []).filter(\.isSSOAccount)
        // An error means that no account or several match. The result is then `nil`.
        let position = try? AccountChoice.choose(name, default: usual, among: offered.map(AccountChoice.Candidate.init))
        return position.map { offered[$0] }
    }

    /// The account of this client or of the device that `name` means, else the default account; `nil` without a name
    /// and a default.
    ///
    /// - Throws: `Failure` with the status `notSignedIn` or `usage`, unless one account fits; `NSError` if the token store
    ///   cannot be read.
    func named(_ name: String?, default usual: String?) async throws -> MSALAccount? {
        guard name != nil || usual != nil else { return nil }
        let all = await added(to: try application.allAccounts())
        return all[try AccountChoice.choose(name, default: usual, among: all.map(AccountChoice.Candidate.init))]
    }
}
