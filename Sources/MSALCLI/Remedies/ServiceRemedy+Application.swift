// Licensed under the MIT License. See LICENSE.

extension ServiceRemedy {
    /// The advice if the token is for an application or a machine; `nil` if the number is about a user.
    ///
    /// The library's message may have a remedy, too. This one says more.
    var textForApplication: String? {
        switch self {
        case .consent, .administratorConsent:
            "An administrator consents to the permissions on the page API permissions of the registration."
        case .publicClient:
            "The page Certificates & secrets of the registration says which secrets and certificates are valid, and "
                + "until when."
        case .client:
            "The application has to be registered in the tenant, or an administrator has to consent to it there."
        case .tenantName: "Name the tenant: --tenant TENANT"
        case .tenant:
            "Check the tenant in --tenant, --authority or AZURE_TENANT_ID, and that the host is the one of its cloud."
        case .host: "Check the host in --authority or AZURE_AUTHORITY_HOST."
        case .scope:
            "Check the spelling of --scope. An application asks one API for all its permissions there, as in "
                + "https://graph.microsoft.com/.default."
        case .broker:
            "A policy of the tenant accepts only tokens that an identity broker requested. An administrator can exclude the "
                + "application."
        case .disabledClient, .permission, .policy, .otherOrganization, .assertion, .wait, .loop:
            text(RemedyContext())
        case .signIn, .otherAccount, .password, .lockedAccount, .disabledAccount, .assignment, .secondFactor,
            .redirectURI, .ownClient, .personalAccounts, .device, .federation:
            nil
        }
    }
}
