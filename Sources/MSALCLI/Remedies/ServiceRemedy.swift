// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// The remedy for an error whose cause the library names.
enum ServiceRemedy: String, CaseIterable {
    case signIn, consent, administratorConsent, unknownAccount, passwordChange, lockedAccount, disabledAccount
    case assignment, secondFactor, redirectURI, clientAuthentication, unknownClient, disabledClient, microsoftClient
    case tenantRequired, unknownTenant, unknownHost, personalAccounts, invalidScope, missingPermission, policy
    case managedDevice, identityBroker, otherOrganization, federation, assertion, unavailable, requestLoop

    /// The remedy for the cause of an error; `nil` if the library does not know the cause.
    init?(_ error: NSError) {
        guard let cause = error.userInfo[MSALErrorCauseKey] as? String else { return nil }
        self.init(rawValue: cause)
    }

    /// Whether the user solves the problem by signing in.
    var isSignIn: Bool {
        switch self {
        case .signIn, .consent, .unknownAccount, .passwordChange, .secondFactor: true
        case .administratorConsent, .lockedAccount, .disabledAccount, .assignment, .redirectURI, .clientAuthentication,
            .unknownClient, .disabledClient, .microsoftClient, .tenantRequired, .unknownTenant, .unknownHost,
            .personalAccounts, .invalidScope, .missingPermission, .policy, .managedDevice, .identityBroker,
            .otherOrganization, .federation, .assertion, .unavailable, .requestLoop:
            false
        }
    }

    /// The advice to the user. The advice about an application's own token is ``textForApplication``.
    func text(_ remedyContext: RemedyContext) -> String {
        let authority = remedyContext.settings?.authority?.url
        let host = authority?.host() ?? "login.microsoftonline.com"
        return switch self {
        case .signIn: remedyContext.signInAgain
        case .consent where remedyContext.isNative:
            "Ask an administrator to consent to this API for \(remedyContext.app)."
        case .consent:
            "If users may not consent, ask an administrator. Otherwise sign in and consent: "
                + remedyContext.command { $0.prompt = .consent }
        case .administratorConsent:
            "Ask an administrator to consent to these scopes for \(remedyContext.app), or request other scopes."
        case .unknownAccount:
            "Check the tenant in --authority, ask an administrator to invite the account as a guest, or sign in with "
                + "another account: \(remedyContext.command { $0.prompt = .selectAccount })"
        case .passwordChange where remedyContext.isNative: "Set a new password: msal native reset-password USER"
        case .passwordChange: "Set a new password on the sign-in page: \(remedyContext.signIn.text)"
        case .lockedAccount where remedyContext.isNative:
            "Try again later, or set a new password: msal native reset-password USER"
        case .lockedAccount: "Try again later from a network that you trust, or ask an administrator."
        case .disabledAccount: "Ask an administrator to enable this account."
        case .assignment: "Ask an administrator to assign the user to \(remedyContext.app)."
        case .secondFactor:
            "Set up a second factor at https://mysignins.microsoft.com/security-info, from a location that your "
                + "organization allows. Then sign in: \(remedyContext.signIn.text)"
        case .redirectURI: remedyContext.registration
        case .clientAuthentication:
            "Register \(remedyContext.app) as a public client: the redirect URI \(remedyContext.redirectURI) only under "
                + "Mobile and desktop applications, and public client flows allowed."
        case .unknownClient:
            "Check --client-id and the tenant in --authority: \(remedyContext.app) must be registered there, or an "
                + "administrator must consent to it there."
        case .disabledClient: "Ask an administrator to enable \(remedyContext.app) in the tenant."
        case .microsoftClient: "Register your own app, and pass its ID with --client-id."
        case .tenantRequired: "Specify the tenant: --authority https://\(host)/TENANT"
        case .unknownTenant: "Check the tenant in --authority, and that the host belongs to its cloud."
        case .unknownHost: "Check the host in --authority. If the authority is your own, also pass --known-authority."
        case .personalAccounts: "The app is for personal accounts: --authority https://\(host)/consumers"
        case .invalidScope:
            "Check the spelling of --scope. Scopes begin with the API's address, as in api://…/ToDoList.Read. A "
                + "command can request the scopes of only one API."
        case .missingPermission:
            "Add the API's permission to the registration of \(remedyContext.app), or check the spelling of --scope. "
                + "The API must be in the tenant."
        // With these claims, a sign-in meets the policy.
        case .policy where remedyContext.signIn.claims != nil: remedyContext.signInAgain
        case .policy:
            "A tenant policy forbids this, from here or with this app. An administrator can find the policy in the "
                + "sign-in logs by the correlation ID."
        case .managedDevice:
            "The tenant requires a managed device. Sign in with a browser that can prove one, or ask an administrator."
        case .identityBroker:
            "A tenant policy accepts only tokens requested through an identity broker. Sign in through the broker of "
                + "this device (msal login --mode broker), or ask an administrator to exclude the application."
        case .otherOrganization:
            "This network or one of the organizations does not allow it. Ask your administrator."
        case .federation: "The organization's own sign-in service failed. Contact its administrator."
        case .assertion:
            "The assertion is not valid yet, or has expired. Check this machine's clock, and that the assertion's "
                + "file or issuer is up to date."
        case .unavailable: "Try again later."
        case .requestLoop: "Wait a few minutes, and do not request the same token repeatedly; leave out --refresh."
        }
    }

    /// Where Microsoft explains the number of an error; `nil` if it has none.
    static func explanation(of error: NSError) -> String? {
        (error.userInfo[MSALErrorHelpURLKey] as? URL).map { "For details: \($0.absoluteString)" }
    }

    /// The advice if the token is for an application or a machine; `nil` if the number is about a user.
    ///
    /// The library's message may have a remedy, too. This one says more.
    var textForApplication: String? {
        switch self {
        case .consent, .administratorConsent:
            "Ask an administrator to consent to the permissions, on the API permissions page of the registration."
        case .clientAuthentication:
            "The Certificates & secrets page of the registration shows which secrets and certificates are valid, and "
                + "until when."
        case .unknownClient:
            "The application must be registered in the tenant, or an administrator must consent to it there."
        case .tenantRequired: "Pass --tenant TENANT"
        case .unknownTenant:
            "Check the tenant in --tenant, --authority or AZURE_TENANT_ID, and that the host belongs to its cloud."
        case .unknownHost: "Check the host in --authority or AZURE_AUTHORITY_HOST."
        case .invalidScope:
            "Check the spelling of --scope. An application requests all its permissions for one API, as in "
                + "https://graph.microsoft.com/.default."
        // The library's message says the same.
        case .identityBroker, .assertion: nil
        case .disabledClient, .missingPermission, .policy, .otherOrganization, .unavailable, .requestLoop:
            text(RemedyContext())
        case .signIn, .unknownAccount, .passwordChange, .lockedAccount, .disabledAccount, .assignment, .secondFactor,
            .redirectURI, .microsoftClient, .personalAccounts, .managedDevice, .federation:
            nil
        }
    }
}
