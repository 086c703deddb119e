// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The rules for a new password, in the order in which they are checked.
enum PasswordPolicy {
    /// The rule that a password breaks; the raw value is the `suberror`.
    enum Violation: String, Sendable {
        case tooShort = "password_too_short"
        case tooLong = "password_too_long"
        case invalid = "password_is_invalid"
        case banned = "password_banned"
        case recentlyUsed = "password_recently_used"
        case tooWeak = "password_too_weak"

        /// The rule that the password breaks, in one sentence for the user.
        var explanation: String {
            switch self {
            case .tooShort: "The new password is too short: at least 8 characters are needed."
            case .tooLong: "The new password is too long: at most 256 characters are allowed."
            case .invalid: "The new password has characters that are not allowed."
            case .banned: "The new password contains a word, phrase or pattern that is easily guessed."
            case .recentlyUsed: "The new password has been used before."
            case .tooWeak: "The new password is too weak: mix small and capital letters, digits and symbols."
            }
        }
    }

    /// The first rule that a password breaks.
    ///
    /// `user`: The user whose earlier passwords are not allowed; `nil` for a new customer.
    static func violation(of password: Secret, userName: String, tenant: Tenant, user: User?) -> Violation? {
        let text = password.exposed
        if text.count < 8 { return .tooShort }
        if text.count > 256 { return .tooLong }
        if !text.unicodeScalars.allSatisfy({ (0x20...0x7E).contains($0.value) }) { return .invalid }
        if contains(text, bannedFor: userName, in: tenant) { return .banned }
        if user?.hasUsed(password) == true { return .recentlyUsed }
        return kinds(in: text) < 3 ? .tooWeak : nil
    }

    private static func contains(_ text: String, bannedFor userName: String, in tenant: Tenant) -> Bool {
        let lower = text.lowercased()
        let name = userName.lowercased().prefix { $0 != "@" }
        let words = ["password", "qwertz", "qwerty", "letmein", "12345678", tenant.displayName.lowercased()]
        // Names of one or two letters occur in too many good passwords.
        return words.contains { lower.contains($0) } || (name.count > 2 && lower.contains(name))
    }

    private static func kinds(in text: String) -> Int {
        let tests: [(Character) -> Bool] = [
            { $0.isLowercase }, { $0.isUppercase }, { $0.isWholeNumber }, { !$0.isLetter && !$0.isWholeNumber },
        ]
        return tests.filter { text.contains(where: $0) }.count
    }
}

extension EntraError {
    /// Microsoft documents the number for weak passwords only. The emulator uses it for the other violations, too.
    static func badPassword(_ violation: PasswordPolicy.Violation) -> EntraError {
        .init(number: 399_246, error: "invalid_grant", message: violation.explanation, suberror: violation.rawValue)
    }
}
