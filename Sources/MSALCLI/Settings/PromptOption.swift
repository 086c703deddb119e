// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import MSAL

/// The values of `--prompt`, as OpenID Connect spells them.
enum PromptOption: String, CaseIterable, ExpressibleByArgument {
    case selectAccount = "select_account"
    case login, consent, create

    var type: MSALPromptType {
        switch self {
        case .selectAccount: .selectAccount
        case .login: .login
        case .consent: .consent
        case .create: .create
        }
    }
}
