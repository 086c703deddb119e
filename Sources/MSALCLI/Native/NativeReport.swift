// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import MSAL

/// The report of a flow.
struct NativeReport: Report, Encodable {
    /// The outcome of the command.
    enum Outcome: String, Encodable {
        case signedIn = "signed_in"
        case signedUp = "signed_up"
        case passwordReset = "password_reset"
    }

    var outcome: Outcome
    var username: String
    /// The account that is signed in now; `nil` if the user was not signed in.
    @ExplicitNull var account: AccountMembers? = nil
    /// Whether the tokens are in the store; `nil` if the user was not signed in.
    @ExplicitNull var isPersisted: Bool? = nil

    func text(_ style: Style) -> TerminalText {
        let done =
            switch outcome {
            case .signedIn: "Signed in as "
            case .signedUp: account == nil ? "Signed up " : "Signed up and in as "
            case .passwordReset: account == nil ? "Changed the password of " : "Changed the password, signed in as "
            }
        return "\(style.good("✓")) \(done)\(style.strong(account?.username ?? username))"
    }

    var raw: String { account?.username ?? username }
}

extension NativeReport {
    /// The report of a flow's end. `user` is the account that is signed in now; `nil` if the user was not signed in.
    init(_ outcome: Outcome, username: String, user: MSALNativeAuthUserAccountResult?) {
        self.init(
            outcome: outcome,
            username: username,
            account: user.map { AccountMembers($0.account) },
            isPersisted: user.map { $0.isPersisted && CacheTarget.isPersistent() }
        )
    }
}
