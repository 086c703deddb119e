// Licensed under the MIT License. See LICENSE.

import MSAL

/// An account in JSON.
struct AccountMembers: Encodable, Equatable {
    var username: String
    var homeAccountId: String
    var tenantId: String
    var environment: String
}

extension AccountMembers {
    init(_ account: MSALAccount) {
        self.init(
            username: account.username ?? "",
            homeAccountId: account.identifier ?? "",
            tenantId: account.homeAccountId?.tenantId ?? "",
            environment: account.environment
        )
    }
}
