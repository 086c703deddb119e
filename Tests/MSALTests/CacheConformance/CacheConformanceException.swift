// Licensed under the MIT License. See LICENSE.

import MSAL

/// A rule that takes lookups out of the run through one kind of store, with its reason. There are no others.
enum CacheConformanceException: String, CaseIterable {
    case keyBoundAfterExport = "names a key-bound token: those are not exported (decision T5), so none comes back"

    /// The first rule that takes `lookup` out of the run through `way`.
    static func matching(_ lookup: CacheCase, through way: CacheWay) -> CacheConformanceException? {
        allCases.first { $0.applies(to: lookup, through: way) }
    }

    private func applies(to lookup: CacheCase, through way: CacheWay) -> Bool {
        switch self {
        case .keyBoundAfterExport:
            guard way == .roundTrip, let document = try? CacheDocument(parsing: lookup.file.cache) else { return false }
            let expected = lookup.answers.map(\.text).joined()
            return document.records.values.contains { record in
                guard case .accessToken(let token) = record, token.isKeyBound else { return false }
                return expected.contains(JSONValue.string(token.secret.exposed).text)
            }
        }
    }
}
