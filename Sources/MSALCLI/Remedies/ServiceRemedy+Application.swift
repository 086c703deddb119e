// Licensed under the MIT License. See LICENSE.

extension ServiceRemedy {
    /// The advice if the token is for an application or a machine; `nil` if the number is about a user.
    ///
    /// The library's message may have a remedy, too. This one says more.
    var textForApplication: String? {
        switch self {
        case .consent, .administratorConsent:
            "Ask an administrator to consent to the permissions, on the API permissions page of the registration."
        case .publicClient:
            "The Certificates & secrets page of the registration shows which secrets and certificates are valid, and "
                + "until when."
        case .client:
            "The application must be registered in the tenant, or an administrator must consent to it there."
        case .tenantName: "Pass --tenant TENANT"
        case .tenant:
            "Check the tenant in --tenant, --authority or AZURE_TENANT_ID, and that the host belongs to its cloud."
        case .host: "Check the host in --authority or AZURE_AUTHORITY_HOST."
        case .scope:
            "Check the spelling of --scope. An application requests all its permissions for one API, as in "
                + "https://graph.microsoft.com/.default."
        // The library's message says the same.
        case .broker, .assertion: nil
        case .disabledClient, .permission, .policy, .otherOrganization, .wait, .loop:
            text(RemedyContext())
        case .signIn, .otherAccount, .password, .lockedAccount, .disabledAccount, .assignment, .secondFactor,
            .redirectURI, .ownClient, .personalAccounts, .device, .federation:
            nil
        }
    }
}
