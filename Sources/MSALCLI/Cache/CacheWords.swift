// Licensed under the MIT License. See LICENSE.

import MSAL

extension MSALTokenStoreKeyLocation {
    /// The value of `--to` and MSAL_STORE_KEY: the raw value with a hyphen before each capital letter.
    var setting: String {
        rawValue.reduce(into: "") { text, character in
            text += character.isUppercase ? "-\(character.lowercased())" : "\(character)"
        }
    }
}

extension MSALTokenStoreRecordKind {
    /// The count and the kind, for people.
    func words(_ count: Int) -> String {
        let one =
            switch self {
            case .accessToken: "access token"
            case .refreshToken: "refresh token"
            case .idToken: "ID token"
            case .account: "account"
            case .appMetadata: "app note"
            case .accountMetadata: "sign-in note"
            }
        return "\(count) \(one)\(count == 1 ? "" : "s")"
    }

    /// The JSON name of the kind. It is part of the command's interface.
    var memberName: String {
        switch self {
        case .accessToken: "access_tokens"
        case .refreshToken: "refresh_tokens"
        case .idToken: "id_tokens"
        case .account: "accounts"
        case .appMetadata: "app_metadata"
        case .accountMetadata: "account_metadata"
        }
    }
}

extension [MSALTokenStoreRecordKind: Int] {
    /// The number of records of all kinds.
    var total: Int { values.reduce(0, +) }
}
