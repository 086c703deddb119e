// Licensed under the MIT License. See LICENSE.

import CommandOutput
import MSAL

/// The account that commands are about after a sign-in at a terminal: the account that signed in.
///
/// After a sign-in, commands are about the account that has just signed in. A job that signs in changes no choice,
/// because it would be somebody else's.
struct ActiveAccount {
    private let settings: Settings
    /// The account that commands were about before the sign-in; `nil` where there was none, or none was chosen.
    private let former: MSALAccount?

    /// Looks at the accounts before a sign-in.
    init(before settings: Settings) {
        self.settings = settings
        // If the store cannot be read now, no account can be named. The sign-in reports what is wrong with it.
        let application = try? settings.application()
        former = application.flatMap { try? AccountChoice.account(nil, of: $0, default: settings.account) }
    }

    /// The change that a sign-in made.
    struct Change: Equatable {
        /// Whether commands are about the new account unless another is named.
        var isActive: Bool
        /// The account that was active before, if it is another one.
        var former: String?
    }

    /// Makes an account that has signed in the active one, if a person did it.
    ///
    /// - Throws: `Failure` with the status `failed`, if the settings file cannot be changed: the account is signed in all
    ///   the same.
    func follow(_ account: MSALAccount, isAtTerminal: Bool = InputOptions.hasTerminal) throws -> Change {
        let application = try settings.application()
        let all = try application.allAccounts()
        // Without a choice, several accounts are an error of later commands.
        let active = try? AccountChoice.account(nil, of: application, default: settings.account)
        if active?.identifier == account.identifier { return Change(isActive: true, former: nil) }
        guard isAtTerminal else { return Change(isActive: false, former: nil) }
        do throws(Failure) {
            var file = try ConfigFile()
            try file.setDefaultAccount(AccountChoice.lastingName(of: account, among: all), of: settings)
        } catch {
            throw Failure.file(
                "\(AccountChoice.label(account)) is signed in, but commands are not about that account. \(error.message)",
                remedy: error.remedy
            )
        }
        let isOther = former.map { $0.identifier != account.identifier } ?? false
        return Change(isActive: true, former: isOther ? former.map(AccountChoice.label) : nil)
    }
}
