// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The failure that a broker reports in the `error` member of a response (docs/reference/Broker.md#error).
struct BrokerErrorMember {
    private let status: Int?
    private let tag: String?
    private let words: BrokerErrorText
    private let diagnostics: [String: JSONValue]
    private let response: [String: JSONValue]
    /// Whether the error has a text but no status code, like Himmelblau's.
    private let hasTextOnly: Bool

    /// `response` is the object that contains the error, where some brokers put the suberror.
    init(_ error: JSONValue, in response: [String: JSONValue], secrets: [Secret]) {
        let members = error.object ?? [:]
        status = members["status"]?.wholeNumber
        tag = members["tag"]?.wholeNumber.flatMap(Self.tag)
        // A text instead of the object is treated like a context.
        words = BrokerErrorText(members["context"]?.string ?? error.string ?? "", without: secrets)
        diagnostics = members["diagnostics"]?.object ?? [:]
        self.response = response
        hasTextOnly =
            members["context"]?.filledString != nil
            && Set(members.keys).isSubset(of: ["context", "status", "subStatus"])
    }

    func failure(of method: IdentityBrokerMethod) -> BrokerFailure {
        let codes = serviceCodes
        var failure = BrokerFailure(kind(codes: codes, method: method), message: "")
        failure.serviceCodes = codes
        failure.oauthError = BrokerErrorText.name(diagnostics["raw_error_code"]?.string) ?? words.oauthError
        failure.oauthSuberror =
            [diagnostics["oauth2_sub_error_code"], response["subError"], response["stsSubError"]].lazy
            .compactMap { BrokerErrorText.name($0?.string) }.first ?? words.oauthSuberror
        failure.message = message(of: method, kind: failure.kind)
        return failure
    }

    private func kind(codes: [Int], method: IdentityBrokerMethod) -> BrokerFailure.Kind {
        if !Self.registrationCodes.isDisjoint(with: codes) { return .misconfigured }
        // Himmelblau sends status 0 with each of its texts.
        guard let status, status != 0 else {
            return hasTextOnly
                ? HimmelblauErrorText.kind(of: words.text, method: method)
                : HimmelblauErrorText.kind(of: words.text) ?? .unexpected
        }
        return BrokerStatus(rawValue: status)?.kind ?? .unexpected
    }

    /// The redirect URI is not registered for the app, or not for a public client.
    private static let registrationCodes: Set = [50011, 7_000_218]

    private var serviceCodes: [Int] {
        let more = diagnostics.values.compactMap(\.string).flatMap { BrokerErrorText($0, without: []).serviceCodes }
        return words.serviceCodes + more.filter { !words.serviceCodes.contains($0) }.sorted()
    }

    private func message(of method: IdentityBrokerMethod, kind: BrokerFailure.Kind) -> String {
        let name = status.flatMap(BrokerStatus.init(rawValue:)).map { " (\($0.name))" } ?? ""
        let number = status.map { "status \($0)\(name)" } ?? "an error without a status"
        var message = "The broker responded to \(method.rawValue) with \(number)"
        if let tag { message += ", tag \(tag)" }
        message += words.text.isEmpty ? "." : ": \(words.text)"
        if kind == .misconfigured { message += " " + BrokerFailure.registrationRemedy }
        return message
    }

    /// Five characters of six bits each, with the first one in the highest bits (docs/reference/Broker.md#error).
    static func tag(_ number: Int) -> String? {
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
        guard (1..<1 << 30).contains(number) else { return nil }
        let indices = (0..<5).reversed().map { number >> (6 * $0) & 0x3F }
        guard indices.allSatisfy(letters.indices.contains) else { return String(number) }
        return String(indices.map { letters[$0] })
    }
}

extension BrokerFailure {
    static let registrationRemedy =
        "Register the redirect URI \(BrokerRedirect.uri) for the app, under \"Mobile and desktop applications\"."
}

extension JSONValue {
    /// An integer, also as a text or a floating-point number.
    var wholeNumber: Int? {
        if case .integer(let number) = self { return Int(exactly: number) }
        return double.flatMap(Int.init(exactly:))
    }

    /// The text, unless it is empty: brokers send an empty one for a missing value.
    var filledString: String? { string.flatMap { $0.isEmpty ? nil : $0 } }
}
