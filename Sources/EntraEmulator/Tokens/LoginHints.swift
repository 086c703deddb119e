// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation

/// Creates the values of the optional claim `login_hint`, and parses them in the parameters `login_hint` and
/// `logout_hint` (Microsoft identity platform, "Optional claims reference").
///
/// A value contains a message authentication code, so a client that sends one has seen a token of that user. A plain
/// user name proves nothing.
struct LoginHints: Sendable {
    let key: SymmetricKey

    private static let prefix = "O."

    /// The value for a user.
    func text(for user: User) -> String {
        let name = Data(user.userPrincipalName.utf8)
        return
            "\(Self.prefix)\(name.base64URL).\(Data(HMAC<SHA256>.authenticationCode(for: name, using: key)).base64URL)"
    }

    /// The user principal name in a value from this emulator; `nil` for any other text.
    func userName(in text: String) -> String? {
        guard text.hasPrefix(Self.prefix), text.utf8.count <= 2_048 else { return nil }
        let parts = text.dropFirst(Self.prefix.count).split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let name = Data(base64URL: String(parts[0])),
            let code = Data(base64URL: String(parts[1])),
            HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: name, using: key)
        else { return nil }
        return String(validating: name, as: UTF8.self)
    }
}
