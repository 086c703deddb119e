// Licensed under the MIT License. See LICENSE.

import MSAL

/// Chooses the account that a command uses.
enum AccountChoice {
    /// The account that `name` means, else the default account, else the only account that is signed in. A name is a
    /// user name in any letter case, an id, or the part of a user name before the `@`. The default has no such short
    /// form.
    ///
    /// - Throws: `Failure`: `notSignedIn` if no account matches, `usage` if several do.
    static func account(
        _ name: String?,
        of application: MSALPublicClientApplication,
        default usual: String? = nil
    ) throws -> MSALAccount {
        if let text = name ?? usual, let account = try only(text, of: application) { return account }
        let all = try application.allAccounts()
        return all[try choose(name, default: usual, among: all.map(Candidate.init))]
    }

    /// Whether commands use this account unless another is named: it is the default account, or the only one.
    static func isDefault(
        _ account: MSALAccount,
        of application: MSALPublicClientApplication,
        default usual: String?
    ) -> Bool {
        let chosen = try? self.account(nil, of: application, default: usual)
        return chosen?.identifier == account.identifier
    }

    /// The only account that a text means, found without reading the other accounts. `nil` if no account or several
    /// match, or if the library's own comparison has another result.
    private static func only(_ text: String, of application: MSALPublicClientApplication) throws -> MSALAccount? {
        guard text.contains(where: { !$0.isWhitespace }) else { return nil }
        var matches = try application.accounts(for: MSALAccountEnumerationParameters(identifier: nil, username: text))
        // The service builds ids from GUIDs.
        if !text.contains("@") {
            let sameID = try application.accounts(for: MSALAccountEnumerationParameters(identifier: text))
            matches += sameID.filter { account in !matches.contains { $0.identifier == account.identifier } }
        }
        guard matches.count == 1, let account = matches.first, Candidate(account).isIdentified(by: text) else {
            return nil
        }
        return account
    }

    /// The names of an account.
    struct Candidate {
        var name: String
        var id: String

        /// Whether the text means this account.
        func isIdentified(by text: String) -> Bool {
            let wanted = text.lowercased()
            return name.lowercased() == wanted || id.lowercased() == wanted
        }

        /// Whether a text is the part of the user name before the `@`.
        fileprivate func begins(with text: String) -> Bool {
            guard let at = name.lastIndex(of: "@"), !text.isEmpty else { return false }
            return name[..<at].lowercased() == text.lowercased()
        }
    }

    /// The positions of the candidates that the text means: those with this user name or id. If there are none, those
    /// with this text before the `@` of the user name.
    static func positions(of text: String, among candidates: [Candidate]) -> [Int] {
        let exact = candidates.indices.filter { candidates[$0].isIdentified(by: text) }
        return exact.isEmpty ? candidates.indices.filter { candidates[$0].begins(with: text) } : exact
    }

    /// The position of the chosen candidate.
    static func choose(
        _ name: String?,
        default usual: String? = nil,
        among candidates: [Candidate]
    ) throws(Failure) -> Int {
        let names = candidates.map(\.name)
        guard !candidates.isEmpty else { throw .notSignedIn("Not signed in.") }
        if let name {
            let matches = positions(of: name, among: candidates)
            guard let match = matches.first else {
                throw .notSignedIn(
                    "\(name) is not signed in.",
                    remedy: "Signed in: \(names.joined(separator: ", ")). Sign in another account: msal login"
                )
            }
            guard matches.count == 1 else {
                let isWhole = candidates[match].isIdentified(by: name)
                throw .ambiguous(matches.map { isWhole ? candidates[$0].id : candidates[$0].name })
            }
            return match
        }
        guard let usual else {
            guard candidates.count == 1 else { throw .ambiguous(names) }
            return 0
        }
        let matches = candidates.indices.filter { candidates[$0].isIdentified(by: usual) }
        guard let match = matches.first else {
            throw .notSignedIn(
                "The default account \(usual) is not signed in.",
                remedy: "Run msal login, or make one of \(names.joined(separator: ", ")) the default: msal account "
                    + "set NAME"
            )
        }
        guard matches.count == 1 else { throw .ambiguous(matches.map { candidates[$0].id }) }
        return match
    }

    /// The name of an account for config.yaml: its user name if no other account has the same one, else its id.
    static func stableName(of account: MSALAccount, among all: [MSALAccount]) -> String {
        let candidate = Candidate(account)
        let isUnique = all.count { Candidate($0).isIdentified(by: candidate.name) } == 1
        return isUnique || candidate.id.isEmpty ? candidate.name : candidate.id
    }

    /// The name of an account for people.
    static func label(_ account: MSALAccount) -> String {
        account.username ?? account.identifier ?? "an account without a name"
    }
}

extension AccountChoice.Candidate {
    init(_ account: MSALAccount) {
        self.init(name: AccountChoice.label(account), id: account.identifier ?? "")
    }
}

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
