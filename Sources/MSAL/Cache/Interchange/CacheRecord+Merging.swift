// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

extension CacheRecord {
    /// Merges this record from an import with the stored record of the same identity
    /// (docs/reference/Cache.md#import-newer). The newer record wins, or this one if their times are equal or unknown.
    /// The gaps of an account are filled from the older one.
    func merged(with held: CacheRecord) -> CacheRecord {
        switch (self, held) {
        case (.account(let own), .account(let other)):
            .account(isOlder(than: held) ? other.merged(over: own) : own.merged(over: other))
        case (.appMetadata(let own), .appMetadata(let other)):
            .appMetadata(own.filling(other))
        default:
            isOlder(than: held) ? held : self
        }
    }

    /// Whether the other record has a later time, or has a time while this one has none.
    func isOlder(than other: CacheRecord) -> Bool {
        guard let theirs = other.age else { return false }
        return age.map { $0 < theirs } ?? true
    }

    /// The time at which the record was created or changed; `nil` if unknown.
    private var age: Date? {
        switch self {
        case .accessToken(let token): max(token.life.cachedAt, token.lastModified ?? token.life.cachedAt)
        case .refreshToken(let token): token.lastModified
        case .idToken(let token): token.lastModified ?? IDTokenClaims(compact: token.secret.exposed)?.issuedAt
        case .account(let account): account.lastModified
        case .appMetadata, .accountMetadata: nil
        }
    }
}

extension AppMetadataRecord {
    /// `held` with its gaps filled from this record. The stored record takes precedence because the service issued it
    /// to this machine, and a family is never forgotten.
    fileprivate func filling(_ held: AppMetadataRecord) -> AppMetadataRecord {
        var copy = held
        if copy.familyID?.isEmpty ?? true, let familyID, !familyID.isEmpty { copy.familyID = familyID }
        copy.additional.merge(additional) { held, _ in held }
        return copy
    }
}

extension IDTokenClaims {
    fileprivate var issuedAt: Date? {
        // A date outside of every calendar is treated as missing.
        self["iat"]?.double.flatMap { abs($0) < 3.2e10 ? Date(timeIntervalSince1970: $0) : nil }
    }
}
