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
    var codes: [Int] {
        switch self {
        case .signIn:
            [
                16_001, 16_002, 50_056, 50_058, 50_064, 50_072, 50_074, 50_076, 50_078, 50_079, 50_085, 50_089,
                50_125, 50_126, 50_132, 50_133, 50_136, 50_139, 50_140, 50_143, 50_158, 50_168, 50_173, 50_199,
                51_006, 54_005, 65_004, 70_000, 70_008, 70_043, 160_021, 501_481, 700_005, 700_020, 700_082, 700_084,
            ]
        case .consent: [65_001, 90_008]
        case .administratorConsent: [90_093, 90_094, 90_095, 90_099]
        case .otherAccount: [16_000, 16_003, 50_014, 50_020, 50_034, 50_197, 51_004, 90_072, 90_084, 90_125, 500_208]
        case .password: [50_055, 50_135, 50_142, 50_144]
        case .lockedAccount: [50_053]
        case .disabledAccount: [50_057, 80_012]
        case .assignment: [50_105]
        case .secondFactor: [53_004, 53_010]
        case .redirectURI: [50_011, 70_004, 500_112, 500_113, 900_971]
        case .publicClient: [70_002, 7_000_215, 7_000_218, 7_000_222, 9_002_326, 9_002_327]
        case .client: [700_011, 700_016]
        case .disabledClient: [70_001, 1_000_031, 7_000_112]
        case .ownClient: [65_002]
        case .tenantName: [50_059, 50_128, 50_194, 90_010, 90_019, 90_124, 90_126, 90_130, 9_001_023, 9_002_332]
        case .tenant: [90_002, 90_038, 90_043, 90_051, 900_023, 900_382]
        case .host: [50_049, 50_050]
        case .personalAccounts: [9_002_331, 9_002_346]
        case .scope:
            [
                28_000, 28_002, 28_003, 50_001, 70_011, 90_009, 500_011, 650_053, 700_022, 700_023, 901_002,
                9_010_010,
            ]
        case .permission: [65_005, 650_052, 650_054, 650_056, 650_057]
        case .policy: [50_005, 50_131, 53_002, 53_003, 53_011, 530_032, 530_034, 530_035, 7_002_141]
        case .device: [50_097, 50_127, 50_129, 50_155, 50_187, 53_000, 53_001, 135_011, 530_003]
        case .broker: [530_084]
        case .otherOrganization: [50_002, 500_021, 500_022, 500_212, 500_213, 1_000_104]
        case .federation:
            [
                20_001, 20_012, 20_033, 40_008, 40_009, 40_010, 40_015, 50_008, 50_107, 80_001, 80_007, 80_010,
                80_013,
            ]
        case .assertion: [700_024]
        case .wait:
            [
                50_000, 50_033, 50_087, 50_088, 50_166, 70_012, 80_002, 80_005, 80_014, 90_006, 90_012, 90_024,
                90_033, 90_055, 90_090, 90_091,
            ]
        case .loop: [50_196]
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
    func text(_ situation: Situation) -> String {
        let authority = situation.settings?.authority?.url
        let host = authority?.host() ?? "login.microsoftonline.com"
        return switch self {
        case .signIn: situation.signInAgain
        case .consent where situation.isNative: "An administrator has to consent to this API for \(situation.app)."
        case .consent:
            "Where users may not consent, an administrator has to. Else sign in and consent: "
                + situation.command { $0.prompt = .consent }
        case .administratorConsent:
            "An administrator has to consent to these scopes for \(situation.app); or ask for others."
        case .otherAccount:
            "Check the tenant in --authority, or have an administrator invite the account as a guest, or sign in with "
                + "another: \(situation.command { $0.prompt = .selectAccount })"
        case .password where situation.isNative: "Set a new password: msal native reset-password USER"
        case .password: "The sign-in page takes a new password: \(situation.signIn.text)"
        case .lockedAccount where situation.isNative:
            "Try again later, or set a new password: msal native reset-password USER"
        case .lockedAccount: "Try again later, from a network that you know, or ask an administrator."
        case .disabledAccount: "An administrator has to let this account sign in."
        case .assignment: "An administrator has to assign the user to \(situation.app)."
        case .secondFactor:
            "Set up a second factor at https://mysignins.microsoft.com/security-info, from where your organization "
                + "allows it. Then sign in: \(situation.signIn.text)"
        case .redirectURI: situation.registration
        case .publicClient:
            "The registration of \(situation.app) must be that of a public client: the redirect URI "
                + "\(situation.redirectURI) under Mobile and desktop applications and nowhere else, and public client "
                + "flows allowed."
        case .client:
            "Check --client-id and the tenant in --authority: \(situation.app) has to be registered there, or an "
                + "administrator has to consent to it there."
        case .disabledClient: "An administrator has to enable \(situation.app) in the tenant."
        case .ownClient: "Register an app of your own, and name it with --client-id."
        case .tenantName: "Name the tenant: --authority https://\(host)/TENANT"
        case .tenant: "Check the tenant in --authority, and that the host is the one of its cloud."
        case .host: "Check the host in --authority; an authority that is yours is named with --known-authority too."
        case .personalAccounts: "The app is for personal accounts: --authority https://\(host)/consumers"
        case .scope:
            "Check the spelling of --scope. Scopes of an API begin with its address: api://…/ToDoList.Read. "
                + "One command asks for the scopes of one API."
        case .permission:
            "Add the API's permission to the registration of \(situation.app), or check the spelling of --scope. "
                + "The API has to be in the tenant."
        case .policy:
            "A policy of the tenant forbids it, from here or with this app. An administrator finds out which one in "
                + "the sign-in logs, by the correlation id."
        case .device:
            "The tenant wants a device that it manages. Sign in with a browser that can prove one, or ask an "
                + "administrator."
        case .broker:
            "A policy of the tenant accepts only tokens that an identity broker requested. Sign in through the broker of "
                + "this device: msal login --way broker. Or have an administrator exclude the application."
        case .otherOrganization:
            "This network or one of the organizations does not allow it. Ask an administrator of yours."
        case .federation: "The organization's own sign-in service has a problem. Tell its administrator."
        case .assertion:
            "The assertion is not valid yet, or has expired. Check the clock of this machine, and that the file or the "
                + "issuer of the assertion is up to date."
        case .wait: "Try again later."
        case .loop: "Wait some minutes, and do not ask for the same token again and again; leave out --refresh."
        }
    }

    /// The remedy for a number; `nil` without a number.
    static func remedy(code: Int?, _ situation: Situation) -> String? {
        code.map { Self(codes: [$0])?.text(situation) ?? explanation(of: $0) }
    }

    /// Where Microsoft explains a number that has no entry here; that page names the address.
    static func explanation(of code: Int) -> String {
        "What it means: https://login.microsoftonline.com/error?code=\(code)"
    }
}
