// Licensed under the MIT License. See LICENSE.

import MSALCore
import MSALSupport

extension CacheRecord {
    /// What is kept of two records of one identity, this one coming from an import
    /// (docs/reference/Cache.md#import-newer): the newer one, whose gaps an account fills from the older; this one if
    /// no time distinguishes them.
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

    /// Whether the other record has a later time, or any while this one has none.
    func isOlder(than other: CacheRecord) -> Bool {
        guard let theirs = other.age else { return false }
        return age.map { $0 < theirs } ?? true
    }

    /// When the record came into being or changed, as far as it says.
    private var age: Date? {
        switch self {
        case .accessToken(let token): max(token.cachedAt, token.lastModified ?? token.cachedAt)
        case .refreshToken(let token): token.lastModified
        case .idToken(let token): token.lastModified ?? IDTokenClaims(compact: token.secret.exposed)?.issuedAt
        case .account(let account): account.lastModified
        case .appMetadata, .accountMetadata: nil
        }
    }
}

extension AppMetadataRecord {
    /// `held` with what it does not know: it is what the service gave this machine, and a family is never forgotten.
    fileprivate func filling(_ held: AppMetadataRecord) -> AppMetadataRecord {
        var copy = held
        if copy.familyID?.isEmpty ?? true, let familyID, !familyID.isEmpty { copy.familyID = familyID }
        copy.additional.merge(additional) { held, _ in held }
        return copy
    }
}

extension IDTokenClaims {
    fileprivate var issuedAt: Date? {
        // A date that no calendar has is as good as none.
        self["iat"]?.double.flatMap { abs($0) < 3.2e10 ? Date(timeIntervalSince1970: $0) : nil }
    }
}
