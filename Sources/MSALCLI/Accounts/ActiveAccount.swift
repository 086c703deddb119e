// Licensed under the MIT License. See LICENSE.

import CommandOutput
import MSAL

/// Makes the account of a sign-in the active account: later commands use it unless another is named.
///
/// This holds only for a sign-in at a terminal. A job that signs in does not change the user's choice.
struct ActiveAccount {
    private let settings: Settings
    /// The account that was active before the sign-in; `nil` if there was none.
    private let former: MSALAccount?

    /// Reads the active account before a sign-in.
    init(before settings: Settings) {
        self.settings = settings
        // If the store cannot be read now, no account can be named. The sign-in reports what is wrong with it.
        let application = try? settings.application()
        former = application.flatMap { try? AccountChoice.account(nil, of: $0, default: settings.account) }
    }

    /// The change that a sign-in made.
    struct Change: Equatable {
        /// Whether commands use the new account unless another is named.
        var isActive: Bool
        /// The account that was active before, if it is a different one: a name that means no other account.
        var former: String?
    }

    /// Makes the account that has signed in the active account, if a person signed in. If the settings file cannot be
    /// changed, a warning says so: the sign-in has succeeded.
    ///
    /// - Throws: What the library throws, if the accounts cannot be read.
    func follow(_ account: MSALAccount, isAtTerminal: Bool = InputOptions.hasTerminal) throws -> Change {
        let application = try settings.application()
        let all = try application.allAccounts()
        // With several accounts and no default, later commands would fail.
        let active = try? AccountChoice.account(nil, of: application, default: settings.account)
        if active?.identifier == account.identifier { return Change(isActive: true, former: nil) }
        guard isAtTerminal else { return Change(isActive: false, former: nil) }
        do throws(Failure) {
            var file = try ConfigFile()
            try file.setDefaultAccount(AccountChoice.stableName(of: account, among: all), of: settings)
        } catch {
            let words = [
                "\(AccountChoice.label(account)) could not be made the default account.", error.message, error.remedy,
            ]
            Terminal.errors.write("\(words.compactMap(\.self).joined(separator: " "))")
            return Change(isActive: false, former: nil)
        }
        guard let former, former.identifier != account.identifier else { return Change(isActive: true, former: nil) }
        return Change(isActive: true, former: AccountChoice.stableName(of: former, among: all))
    }
}
