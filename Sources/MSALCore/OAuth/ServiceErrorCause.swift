// Licensed under the MIT License. See LICENSE.

package import Foundation

/// Why the service refused a request, according to its number. This is the only table of these numbers.
///
/// The numbers are from Microsoft's page "Microsoft Entra authentication and authorization error codes" (read
/// 2026-11-22). That page asks programs not to depend on the numbers. So the libraries only explain errors with them.
package enum ServiceErrorCause: String, CaseIterable, Sendable {
    case signIn, consent, administratorConsent, unknownAccount, passwordChange, lockedAccount, disabledAccount
    case assignment, secondFactor, redirectURI, clientAuthentication, unknownClient, disabledClient, microsoftClient
    case tenantRequired, unknownTenant, unknownHost, personalAccounts, invalidScope, missingPermission, policy
    case managedDevice, identityBroker, otherOrganization, federation, assertion, unavailable, requestLoop

    /// The number among these that explains an error: the first one with a known cause, or else the first one.
    package static func explaining(_ codes: [Int]) -> (number: Int, cause: ServiceErrorCause?)? {
        for code in codes {
            if let cause = allCases.first(where: { $0.codes.contains(code) }) { return (code, cause) }
        }
        return codes.first.map { ($0, nil) }
    }

    /// The members of `userInfo` for the numbers of an error; none without a number.
    package static func userInfo(of codes: [Int]) -> [String: Any] {
        guard let (number, cause) = explaining(codes) else { return [:] }
        var userInfo: [String: Any] = ["MSALSTSErrorCodesKey": codes.map(NSNumber.init(value:))]
        userInfo["MSALErrorNumberKey"] = NSNumber(value: number)
        userInfo["MSALErrorCauseKey"] = cause?.rawValue
        userInfo["MSALErrorHelpURLKey"] = helpURL(of: number)
        userInfo[NSLocalizedFailureReasonErrorKey] = cause?.text
        return userInfo
    }

    /// The service's page about a number. Microsoft's page of the numbers names the address.
    package static func helpURL(of number: Int) -> URL? {
        URL(string: "https://login.microsoftonline.com/error?code=\(number)")
    }

    /// The numbers with this cause. docs/Troubleshooting.md#numbers lists them too, for people.
    package var codes: [Int] { row.numbers.split(whereSeparator: \.isWhitespace).compactMap { Int($0) } }

    /// The cause as a sentence, for developers and logs.
    package var text: String { row.text }

    /// The numbers as an error shows them after `AADSTS`, so that a search for one finds its row, and the cause.
    private var row: (numbers: String, text: String) {
        switch self {
        case .signIn:
            (
                """
                16001 16002 50056 50058 50064 50072 50074 50076 50078 50079 50085 50089 50125 50126 50132 50133 50136
                50139 50140 50143 50158 50168 50173 50199 51006 54005 65004 70000 70008 70043 160021 501481 700005 700020
                700082 700084
                """,
                "The session has expired, or more proof is required."
            )
        case .consent: ("65001 90008", "The user has not consented to these permissions yet.")
        case .administratorConsent: ("90093 90094 90095 90099", "Only an administrator can consent.")
        case .unknownAccount:
            ("16000 16003 50014 50020 50034 50197 51004 90072 90084 90125 500208", "The account is not in this tenant.")
        case .passwordChange: ("50055 50135 50142 50144", "The password must be changed.")
        case .lockedAccount: ("50053", "The account is temporarily locked.")
        case .disabledAccount: ("50057 80012", "The account is disabled.")
        case .assignment: ("50105", "The user is not assigned to the app.")
        case .secondFactor: ("53004 53010", "A second factor must be set up, from another network or device.")
        case .redirectURI: ("50011 70004 500112 500113 900971", "The registration lacks the redirect URI.")
        case .clientAuthentication:
            (
                "70002 7000215 7000218 7000222 9002326 9002327",
                "The app is not registered as a public client, or its credential is wrong."
            )
        case .unknownClient: ("700011 700016", "The tenant does not know the app.")
        case .disabledClient: ("70001 1000031 7000112", "The app is disabled in the tenant.")
        case .microsoftClient: ("65002", "The app is one of Microsoft's, and may not call this API.")
        case .tenantRequired:
            ("50059 50128 50194 90010 90019 90124 90126 90130 9001023 9002332", "The authority must name the tenant.")
        case .unknownTenant:
            ("90002 90038 90043 90051 900023 900382", "The tenant does not exist, or not in this cloud.")
        case .unknownHost: ("50049 50050", "The host is not an authority of this cloud.")
        case .personalAccounts: ("9002331 9002346", "The app is for personal accounts.")
        case .invalidScope:
            (
                "28000 28002 28003 50001 70011 90009 500011 650053 700022 700023 901002 9010010",
                "The scope is unknown, or the request mixes scopes of two APIs."
            )
        case .missingPermission: ("65005 650052 650054 650056 650057", "The registration lacks the API's permission.")
        case .policy:
            (
                "50005 50131 53002 53003 53011 530032 530034 530035 7002141",
                "A policy of the tenant forbids this network, app, or sign-in mode."
            )
        case .managedDevice:
            ("50097 50127 50129 50155 50187 53000 53001 135011 530003", "A policy requires a managed device.")
        case .identityBroker: ("530084", "A policy accepts only tokens that an identity broker requested.")
        case .otherOrganization:
            ("50002 500021 500022 500212 500213 1000104", "One of two organizations, or this network, forbids it.")
        case .federation:
            (
                "20001 20012 20033 40008 40009 40010 40015 50008 50107 80001 80007 80010 80013",
                "The organization's own sign-in service failed."
            )
        case .assertion: ("700024", "A client assertion is not valid yet, or has expired.")
        case .unavailable:
            (
                "50000 50033 50087 50088 50166 70012 80002 80005 80014 90006 90012 90024 90033 90055 90090 90091",
                "The service is temporarily unavailable."
            )
        case .requestLoop: ("50196", "The app requested the same token too often.")
        }
    }
}
