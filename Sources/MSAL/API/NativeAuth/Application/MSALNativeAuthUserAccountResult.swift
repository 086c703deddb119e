// Licensed under the MIT License. See LICENSE.

import MSALBase
private import Synchronization

/// A user who signed in natively. Its methods get access tokens. It may be used from any thread.
public final class MSALNativeAuthUserAccountResult: NSObject, Sendable, RedactedReflection {
    let application: MSALNativeAuthPublicClientApplication
    private let current: Mutex<Current>

    private struct Current {
        var account: MSALAccount
        var idToken: Secret?
        var isPersisted: Bool
    }

    init(_ user: NativeAuth.UserAccount, application: MSALNativeAuthPublicClientApplication) {
        self.application = application
        current = Mutex(
            Current(
                account: MSALAccount(user.account, hasProfiles: false),
                idToken: user.idToken,
                isPersisted: user.isPersisted
            )
        )
    }

    /// Creates the user of a completed sign-in.
    convenience init(_ result: TokenResult, application: MSALNativeAuthPublicClientApplication) {
        let user = NativeAuth.UserAccount(
            account: result.account,
            idToken: result.idToken,
            isPersisted: result.isPersisted
        )
        self.init(user, application: application)
    }

    /// The account. Each fetched access token updates its details. Later calls of this object are for this account.
    public var account: MSALAccount {
        get { current.withLock { $0.account } }
        set { current.withLock { $0.account = newValue } }
    }

    /// The most recent ID token; `nil` if the service returned none.
    public var idToken: String? { current.withLock { $0.idToken?.exposed } }

    /// Updates the user's details from a renewed token.
    func update(_ result: TokenResult) {
        current.withLock {
            $0.account = MSALAccount(result.account, hasProfiles: false)
            $0.idToken = result.idToken ?? $0.idToken
            switch result.source {
            case .cache, .cacheAfterFailedRefresh: break
            case .refresh, .browser, .deviceCode, .native, .broker: $0.isPersisted = result.isPersisted
            }
        }
    }

    /// Contains the account, never a token.
    public override var description: String { "MSALNativeAuthUserAccountResult(\(account))" }
}

// MARK: - Linux only

extension MSALNativeAuthUserAccountResult {
    /// Whether the tokens that the service sent last are in the store. If `false`, the user must sign in again in the
    /// next process. It is `true` for an account that was read from the store.
    public var isPersisted: Bool { current.withLock { $0.isPersisted } }
}
