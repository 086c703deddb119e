// Licensed under the MIT License. See LICENSE.

@testable import MSAL
@testable import MSALBase

/// A rule that excludes lookups, or a part of their results, from the run with one kind of store, with its reason.
/// There are no other exclusions.
enum CacheConformanceException: String, CaseIterable {
    /// `single_account-28` and `multi_account-07`, in the section `Account`; the rest of the result is compared.
    case namesAfterSignOut =
        "a sign-out leaves the account's row: with the last token of the account the row goes, too (docs/TokenStore.md)"
    case keyBoundAfterExport = "names a key-bound token: those are not exported, so none comes back"

    /// The first rule that excludes `lookup` from the run in `way`.
    static func matching(_ lookup: CacheCase, through way: CacheRoute) -> CacheConformanceException? {
        allCases.first { $0.applies(to: lookup, through: way) }
    }

    private func applies(to lookup: CacheCase, through way: CacheRoute) -> Bool {
        switch self {
        case .namesAfterSignOut:
            return !lookup.unusedAccounts.isEmpty
        case .keyBoundAfterExport:
            guard way == .roundTrip, let document = try? CacheDocument(parsing: lookup.file.cache) else { return false }
            let expected = lookup.answers.map(\.text).joined()
            return document.records.contains { record in
                guard case .accessToken(let token) = record, token.isKeyBound else { return false }
                return expected.contains(JSONValue.string(token.secret.exposed).text)
            }
        }
    }
}

extension CacheCase {
    /// The rows of `Account` that a sign-out is expected to leave although no token of the account remains.
    var unusedAccounts: Set<String> {
        guard kind == "remove_account", let account = request["home_account_id"]?.string,
            let document = try? CacheDocument(parsing: file.cache),
            let remaining = answers.first?.object?["remaining"]?.object
        else { return [] }
        let left = ["AccessToken", "AccessToken_With_AuthScheme", "RefreshToken", "IdToken"]
            .flatMap { remaining[$0]?.array ?? [] }.compactMap(\.string)
        let isUsed = document.records.contains { record in
            guard record.keys.homeAccountID == account, let secret = record.members["secret"]?.string else {
                return false
            }
            return left.contains(secret)
        }
        let rows = (remaining["Account"]?.array ?? []).compactMap(\.string)
        return isUsed ? [] : Set(rows.filter { $0.hasPrefix(account + "-") })
    }
}
