// Licensed under the MIT License. See LICENSE.

import MSAL

@testable import MSALBase

/// A rule that excludes conformance cases from the run, with its reason. There are no other exclusions.
enum ConformanceException: String, CaseIterable {
    case otherPlatform = "platform other than linux: the rules of Apple's systems are not ours"
    case conversion = "op convert: conversions from Apple's internal error domain have no counterpart here"
    case contested = "contested: decided otherwise (docs/reference/Decisions.md#exceptions)"
    case foreignIssuer = "an OpenID Connect issuer that is not the authority: the two are compared exactly"
    case missingClientInfo = "a refresh without client_info: it renews the tokens of the account that is known"
    case unknownSituation = "unknown situation: the runner cannot bring it about"

    /// The situations that the error-mapping runner can cause. A runner that supports another one adds it here.
    static let knownSituations: Set<String> = [
        "accountForUsername with empty string",
        "claims in extra query parameters and in the claims request",
        "client id is blank",
        "current account requested with two accounts in cache",
        "scopes contain openid",
        "second interactive session while one is running",
        "session cancelled by the app",
        "signout with nil account",
        "signoutFromBrowser without web view parameters",
        "user closes the browser view",
    ]

    /// The first rule that excludes `testCase`.
    static func matching(_ testCase: ConformanceCase) -> ConformanceException? {
        allCases.first { $0.applies(to: testCase) }
    }

    private func applies(to testCase: ConformanceCase) -> Bool {
        switch self {
        case .otherPlatform:
            testCase["platform"].map { $0 != .string("linux") } ?? false
        case .conversion:
            testCase.op == "convert"
        case .contested:
            testCase.isContested
        case .foreignIssuer:
            testCase.op == "issuer" && testCase["type"] == .string("oidc")
                && testCase["issuer"] != testCase["authority"] && testCase.expected("accepted") == .bool(true)
        case .missingClientInfo:
            testCase["steps"]?.array?.contains { $0.isRefreshWithoutClientInfo } ?? false
        case .unknownSituation:
            testCase["situation"]?.string.map { !Self.knownSituations.contains($0) } ?? false
        }
    }
}

extension JSONValue {
    /// Whether a silent step has a response whose `client_info` is removed.
    fileprivate var isRefreshWithoutClientInfo: Bool {
        guard object?["interactive"] == nil, let answers = object?["server"]?.array else { return false }
        return answers.contains { $0.object?["json"]?.object?["client_info"] == .null }
    }
}
