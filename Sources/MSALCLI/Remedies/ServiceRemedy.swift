// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// The remedy for an error that has a number of the service. This is the only table of these numbers.
///
/// The numbers are from Microsoft's page "Microsoft Entra authentication and authorization error codes" (read
/// 2026-11-22). That page asks programs not to depend on the numbers. So the library ignores them, and the command uses
/// them only for its advice to people.
enum ServiceRemedy: CaseIterable {
    case signIn, consent, administratorConsent, otherAccount, password, lockedAccount, disabledAccount, assignment
    case secondFactor, redirectURI, publicClient, client, disabledClient, ownClient, tenantName, tenant, host
    case personalAccounts, scope, permission, policy, device, broker, otherOrganization, federation, assertion, wait
    case loop

    /// The remedy for the first of these numbers that has one.
    init?(codes: [Int]) {
        guard let remedy = codes.lazy.compactMap(Self.init(code:)).first else { return nil }
        self = remedy
    }

    private init?(code: Int) {
        guard let remedy = Self.allCases.first(where: { $0.codes.contains(code) }) else { return nil }
        self = remedy
    }

    /// The numbers that have this remedy. docs/Troubleshooting.md#numbers lists them too, for people.
    var codes: [Int] { numbers.split(whereSeparator: \.isWhitespace).compactMap { Int($0) } }

    /// The numbers as an error shows them after `AADSTS`, so that a search for one finds its row.
    private var numbers: String {
        switch self {
        case .signIn:
            """
            16001 16002 50056 50058 50064 50072 50074 50076 50078 50079 50085 50089 50125 50126 50132 50133
            50136 50139 50140 50143 50158 50168 50173 50199 51006 54005 65004 70000 70008 70043 160021 501481
            700005 700020 700082 700084
            """
        case .consent: "65001 90008"
        case .administratorConsent: "90093 90094 90095 90099"
        case .otherAccount: "16000 16003 50014 50020 50034 50197 51004 90072 90084 90125 500208"
        case .password: "50055 50135 50142 50144"
        case .lockedAccount: "50053"
        case .disabledAccount: "50057 80012"
        case .assignment: "50105"
        case .secondFactor: "53004 53010"
        case .redirectURI: "50011 70004 500112 500113 900971"
        case .publicClient: "70002 7000215 7000218 7000222 9002326 9002327"
        case .client: "700011 700016"
        case .disabledClient: "70001 1000031 7000112"
        case .ownClient: "65002"
        case .tenantName: "50059 50128 50194 90010 90019 90124 90126 90130 9001023 9002332"
        case .tenant: "90002 90038 90043 90051 900023 900382"
        case .host: "50049 50050"
        case .personalAccounts: "9002331 9002346"
        case .scope: "28000 28002 28003 50001 70011 90009 500011 650053 700022 700023 901002 9010010"
        case .permission: "65005 650052 650054 650056 650057"
        case .policy: "50005 50131 53002 53003 53011 530032 530034 530035 7002141"
        case .device: "50097 50127 50129 50155 50187 53000 53001 135011 530003"
        case .broker: "530084"
        case .otherOrganization: "50002 500021 500022 500212 500213 1000104"
        case .federation: "20001 20012 20033 40008 40009 40010 40015 50008 50107 80001 80007 80010 80013"
        case .assertion: "700024"
        case .wait:
            """
            50000 50033 50087 50088 50166 70012 80002 80005 80014 90006 90012 90024 90033 90055 90090 90091
            """
        case .loop: "50196"
        }
    }

    /// Whether the user solves the problem by signing in.
    var isSignIn: Bool {
        switch self {
        case .signIn, .consent, .otherAccount, .password, .secondFactor: true
        case .administratorConsent, .lockedAccount, .disabledAccount, .assignment, .redirectURI, .publicClient,
            .client, .disabledClient, .ownClient, .tenantName, .tenant, .host, .personalAccounts, .scope, .permission,
            .policy, .device, .broker, .otherOrganization, .federation, .assertion, .wait, .loop:
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
        case .otherAccount:
            "Check the tenant in --authority, ask an administrator to invite the account as a guest, or sign in with "
                + "another account: \(remedyContext.command { $0.prompt = .selectAccount })"
        case .password where remedyContext.isNative: "Set a new password: msal native reset-password USER"
        case .password: "Set a new password on the sign-in page: \(remedyContext.signIn.text)"
        case .lockedAccount where remedyContext.isNative:
            "Try again later, or set a new password: msal native reset-password USER"
        case .lockedAccount: "Try again later from a network that you trust, or ask an administrator."
        case .disabledAccount: "Ask an administrator to enable this account."
        case .assignment: "Ask an administrator to assign the user to \(remedyContext.app)."
        case .secondFactor:
            "Set up a second factor at https://mysignins.microsoft.com/security-info, from a location that your "
                + "organization allows. Then sign in: \(remedyContext.signIn.text)"
        case .redirectURI: remedyContext.registration
        case .publicClient:
            "Register \(remedyContext.app) as a public client: the redirect URI \(remedyContext.redirectURI) only under "
                + "Mobile and desktop applications, and public client flows allowed."
        case .client:
            "Check --client-id and the tenant in --authority: \(remedyContext.app) must be registered there, or an "
                + "administrator must consent to it there."
        case .disabledClient: "Ask an administrator to enable \(remedyContext.app) in the tenant."
        case .ownClient: "Register your own app, and pass its ID with --client-id."
        case .tenantName: "Specify the tenant: --authority https://\(host)/TENANT"
        case .tenant: "Check the tenant in --authority, and that the host belongs to its cloud."
        case .host: "Check the host in --authority. If the authority is your own, also pass --known-authority."
        case .personalAccounts: "The app is for personal accounts: --authority https://\(host)/consumers"
        case .scope:
            "Check the spelling of --scope. Scopes begin with the API's address, as in api://…/ToDoList.Read. A "
                + "command can request the scopes of only one API."
        case .permission:
            "Add the API's permission to the registration of \(remedyContext.app), or check the spelling of --scope. "
                + "The API must be in the tenant."
        // With these claims, a sign-in meets the policy.
        case .policy where remedyContext.signIn.claims != nil: remedyContext.signInAgain
        case .policy:
            "A tenant policy forbids this, from here or with this app. An administrator can find the policy in the "
                + "sign-in logs by the correlation ID."
        case .device:
            "The tenant requires a managed device. Sign in with a browser that can prove one, or ask an administrator."
        case .broker:
            "A tenant policy accepts only tokens requested through an identity broker. Sign in through the broker of "
                + "this device (msal login --mode broker), or ask an administrator to exclude the application."
        case .otherOrganization:
            "This network or one of the organizations does not allow it. Ask your administrator."
        case .federation: "The organization's own sign-in service failed. Contact its administrator."
        case .assertion:
            "The assertion is not valid yet, or has expired. Check this machine's clock, and that the assertion's "
                + "file or issuer is up to date."
        case .wait: "Try again later."
        case .loop: "Wait a few minutes, and do not request the same token repeatedly; leave out --refresh."
        }
    }

    /// The remedy for a number; `nil` without a number.
    static func remedy(code: Int?, _ remedyContext: RemedyContext) -> String? {
        code.map { Self(codes: [$0])?.text(remedyContext) ?? explanation(of: $0) }
    }

    /// Where Microsoft explains a number that has no entry here; that page names the address.
    static func explanation(of code: Int) -> String {
        "For details: https://login.microsoftonline.com/error?code=\(code)"
    }

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
