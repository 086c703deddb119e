// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// Checks a typed password on the pages, at the token endpoint, and in native authentication.
struct PasswordCheck: Sendable {
    let failures: FailedSignIns

    /// The reason why a password is rejected; `nil` if it is correct. A wrong password is recorded.
    func problem(of user: User?, typing password: Secret, at now: Date) -> EntraError? {
        guard let user else { return .wrongPassword }
        if user.isLocked || failures.isLocked(user.id, at: now) { return .lockedUser }
        guard user.accepts(password) else {
            failures.record(user.id, at: now)
            return .wrongPassword
        }
        failures.forget(user.id)
        guard user.isEnabled else { return .disabledUser }
        switch user.passwordState {
        case .current: return nil
        case .expired: return .passwordExpired
        case .mustChange: return .passwordChangeRequired
        }
    }
}
