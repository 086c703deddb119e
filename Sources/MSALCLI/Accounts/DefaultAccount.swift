// Licensed under the MIT License. See LICENSE.

import MSAL

/// The account that commands use unless another is named.
enum DefaultAccount {
    /// Removes the default if it names an account that was signed out, because every later command would fail.
    ///
    /// - Throws: `Failure` with the status `failed`. The message says that the accounts are signed out nevertheless.
    static func forget(_ signedOut: [MSALAccount], settings: Settings) throws(Failure) {
        guard let usual = settings.account,
            let account = signedOut.first(where: { AccountChoice.Candidate($0).isIdentified(by: usual) })
        else { return }
        do throws(Failure) {
            var file = try ConfigFile()
            try file.setDefaultAccount(nil, of: settings)
        } catch {
            throw .file(
                "\(AccountChoice.label(account)) is signed out but is still the default account. \(error.message)",
                remedy: error.remedy
            )
        }
    }
}
