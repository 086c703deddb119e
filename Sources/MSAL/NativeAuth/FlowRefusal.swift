// Licensed under the MIT License. See LICENSE.

import MSALBase

/// An error of the service in a V2 flow. It is either an object, or flat like an OAuth error
/// (docs/reference/NativeAuthV2.md#errors).
struct FlowRefusal: Sendable {
    /// The names of the error and of its inner error, in camel case: the flat form uses underscores.
    private let code: String
    private let innerCode: String?
    private let detailCodes: [String]
    /// The names of the attributes that the service rejects.
    let attributeNames: [String]
    let numbers: [Int]
    private let mentionsUsername: Bool
    let serverError: NativeAuth.ServerError

    /// Parses the error in a response; `nil` if there is none.
    ///
    /// `secrets`: Secret texts. The service may repeat them, but the error must not contain them.
    init?(_ members: FlowMembers, status: Int, hiding secrets: [Secret]) {
        let object = members.object("error")
        guard object != nil || members.text("error") != nil else { return nil }
        let inner = object?.object("innerError")
        let details = inner?.objects("details") ?? object?.objects("details") ?? []
        let named = object?.text("code") ?? members.text("error") ?? ""
        let innerNamed = inner?.text("code") ?? members.text("suberror")
        let words = object?.text("message") ?? members.text("error_description")
        let listed = members.numbers("error_codes") + (object?.numbers("error_codes") ?? [])
        code = Self.camelCase(named)
        innerCode = innerNamed.map(Self.camelCase)
        detailCodes = details.compactMap { $0.text("code").map(Self.camelCase) }
        attributeNames = details.flatMap { $0.texts("attributeIds") }
        numbers = listed.isEmpty ? Self.numbers(in: words) : listed
        let lowercased = words?.lowercased() ?? ""
        mentionsUsername = lowercased.contains("username") || lowercased.contains("user name")
        var error = NativeAuth.ServerError(status: status, error: named, suberror: innerNamed, codes: numbers)
        error.description = words.flatMap { Self.words($0, hiding: secrets) }
        error.uri = members.text("error_uri")
        error.traceID = object?.text("traceId", "trace_id") ?? members.text("trace_id")
        error.timestamp = object?.text("timestamp") ?? members.text("timestamp")
        error.correlationID = object?.text("correlationId", "correlation_id") ?? members.text("correlation_id")
        error.invalidAttributes = attributeNames
        serverError = error.visible
    }

    /// The correlation ID in the body, if it is a UUID.
    var correlationID: UUID? { serverError.correlationID.flatMap(UUID.init(uuidString:)) }

    private func isNamed(_ names: String...) -> Bool {
        names.contains(code) || innerCode.map(names.contains) == true || detailCodes.contains(where: names.contains)
    }

    private func hasNumber(_ wanted: Int...) -> Bool { numbers.contains(where: wanted.contains) }
}

// MARK: - Meaning

extension FlowRefusal {
    var isBrowserRequired: Bool {
        code == "redirectToWeb" || (code == "invalidGrant" && innerCode == "webRedirectRequired")
    }

    var isUserNotFound: Bool { hasNumber(50_034) || isNamed("userNotFound") }

    /// Whether the service rejects the user name. It rejects other parameters with the same number.
    var isAboutUsername: Bool { hasNumber(90_100) && mentionsUsername }

    var isUserExisting: Bool { hasNumber(1_003_037) || isNamed("userAlreadyExists") }

    var isWithoutPassword: Bool { hasNumber(500_222) }

    var isWrongCode: Bool { hasNumber(50_181, 50_184) || isNamed("invalidOneTimeCode") }

    var isWrongPassword: Bool { hasNumber(50_126) || isNamed("invalidUserNameOrPassword") }

    /// Whether a new password violates a rule.
    var isAgainstPasswordRules: Bool {
        hasNumber(120_002)
            || isNamed(
                "passwordTooWeak",
                "passwordTooShort",
                "passwordTooLong",
                "passwordIsInvalid",
                "passwordRecentlyUsed",
                "passwordBanned"
            )
    }

    var isAboutAttributes: Bool { hasNumber(1_002_027) || isNamed("attributeValidationError") }

    var isAboutContact: Bool { hasNumber(901_001) || isNamed("invalidInput") }

    /// Whether the service blocks a method or a contact.
    var isBlocked: Bool { hasNumber(550_024) || isNamed("providerBlockedByReputation", "providerBlockedByRep") }

    /// Whether the response only means that the flow continues with one of its links.
    var isInvitation: Bool { code == "InsufficientAuthorization" }
}

// MARK: - Reading

extension FlowRefusal {
    private static func camelCase(_ name: String) -> String {
        let parts = name.split(separator: "_")
        return parts.prefix(1).joined() + parts.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// Every number after `AADSTS` in a text.
    private static func numbers(in text: String?) -> [Int] {
        guard let text else { return [] }
        return text.split(separator: "AADSTS", omittingEmptySubsequences: false).dropFirst().compactMap { part in
            Int(part.prefix { $0.isASCII && $0.isNumber })
        }
    }

    /// The service's text without secrets; `nil` if a secret is so short that hiding it would reveal where it was
    /// (docs/reference/NativeAuthV2.md#secrets).
    private static func words(_ text: String, hiding secrets: [Secret]) -> String? {
        let exposed = secrets.map(\.exposed).filter { !$0.isEmpty }
        guard exposed.allSatisfy({ $0.count >= 4 }) else { return nil }
        return exposed.sorted { $0.count > $1.count }.reduce(text) { $0.replacing($1, with: "***") }
    }
}
