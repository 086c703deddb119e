// Licensed under the MIT License. See LICENSE.

import MSALBase

extension EmulatorDirectory.User {
    /// Creates a directory entry from an account. Tenants are identified by their domains.
    ///
    /// `known`: The password, if the account still has it; any other password is written as its digest.
    init(_ account: User, tenants: [Tenant], known: String?) {
        func domain(_ id: String) -> String { tenants.first { $0.id == id }?.domain ?? id }
        self.init(
            id: account.id,
            tenant: domain(account.homeTenantID),
            userPrincipalName: account.userPrincipalName,
            displayName: account.displayName,
            password: known.flatMap { account.accepts(Secret($0)) ? $0 : nil },
            customer: account.customer
        )
        let names = User.names(in: account.displayName)
        givenName = account.givenName == names.given ? nil : account.givenName
        surname = account.surname == names.family ? nil : account.surname
        jobTitle = account.jobTitle
        mobilePhone = account.mobilePhone
        businessPhones = account.businessPhones
        attributes = account.attributes ?? [:]
        officeLocation = account.officeLocation
        preferredLanguage = account.preferredLanguage
        (department, manager, photo) = (account.department, account.manager, account.photo)
        (isAdministrator, agent) = (account.isAdministrator, account.agent)
        isEnabled = account.isEnabled
        if customer == nil {
            strongMethods = account.secondFactors
            requiresSecondFactor = account.requiresSecondFactor
            isLocked = account.isLocked
            passwordState = account.passwordState
        }
        for (tenant, id) in account.guestObjectIDs { guestObjectIDs[domain(tenant)] = id }
        // A customer who signs in with a code has a random password that is never revealed.
        let needsPassword =
            (account.customer?.credential ?? .password) == .password && account.agent == nil || known != nil
        if password == nil, needsPassword { passwordDigest = account.exportedPassword }
    }
}
