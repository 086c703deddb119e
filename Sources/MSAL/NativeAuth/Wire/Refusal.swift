// Licensed under the MIT License. See LICENSE.

/// An error answer that could be read: what the service says, and what its saying so carries.
struct Refusal: Sendable {
    let serverError: NativeAuth.ServerError
    let continuationToken: Secret?
    /// `nil` where the list is missing.
    let requiredAttributes: [NativeAuth.RequiredAttribute]?

    /// Reads the members that the reference reads, strictly.
    init(_ members: AnswerMembers, _ verbatim: NativeAuth.ServerError) throws(AnswerMembers.Unreadable) {
        _ = try members.required("error", members.text)
        _ = try members.text("suberror")
        _ = try members.text("error_description")
        _ = try members.numbers("error_codes")
        _ = try members.text("error_uri")
        for list in ["invalid_attributes", "unverified_attributes"] {
            for attribute in try members.objects(list) ?? [] { _ = try attribute.required("name", attribute.text) }
        }
        continuationToken = try members.secret("continuation_token")
        requiredAttributes = try members.objects("required_attributes")?.map {
            (attribute) throws(AnswerMembers.Unreadable) -> NativeAuth.RequiredAttribute in
            NativeAuth.RequiredAttribute(
                name: try attribute.required("name", attribute.text),
                type: try attribute.required("type", attribute.text),
                isRequired: try attribute.required("required", attribute.flag),
                regex: try attribute.object("options")?.text("regex")
            )
        }
        serverError = verbatim
    }

    func isNamed(_ error: String) -> Bool { serverError.error == error }

    func isNamed(_ error: String, suberror: String) -> Bool {
        serverError.error == error && serverError.suberror == suberror
    }

    /// Whether the service does not take the password, whatever it dislikes about it.
    var isAboutPassword: Bool {
        let suberrors = [
            "password_too_weak", "password_too_short", "password_too_long", "password_is_invalid",
            "password_recently_used", "password_banned",
        ]
        return isNamed("invalid_grant") && serverError.suberror.map(suberrors.contains) == true
    }

    /// Whether the code is wrong.
    var isAboutCode: Bool { isNamed("invalid_grant", suberror: "invalid_oob_value") }

    /// Whether the service refuses to use a method or a contact.
    var isBlocked: Bool { isNamed("access_denied", suberror: "provider_blocked_by_rep") }

    /// The names of the attributes that the service does not take; `nil` if it does not name any.
    var invalidAttributes: [String]? {
        guard isNamed("invalid_grant", suberror: "attribute_validation_failed") else { return nil }
        return serverError.invalidAttributes.isEmpty ? nil : serverError.invalidAttributes
    }
}

extension NativeAuth.ServerError {
    /// Reads whatever can be read; `nil` without an `error`.
    init?(_ members: [String: JSONValue], status: Int) {
        guard let error = members["error"]?.string else { return nil }
        func names(_ list: String) -> [String] {
            members[list]?.array?.compactMap { $0.object?["name"]?.string } ?? []
        }
        self.init(
            status: status,
            error: error,
            suberror: members["suberror"]?.string,
            description: members["error_description"]?.string,
            codes: members["error_codes"]?.array?.compactMap { $0.double.flatMap(Int.init(exactly:)) } ?? [],
            uri: members["error_uri"]?.string,
            traceID: members["trace_id"]?.string,
            timestamp: members["timestamp"]?.string,
            correlationID: members["correlation_id"]?.string,
            invalidAttributes: names("invalid_attributes"),
            unverifiedAttributes: names("unverified_attributes")
        )
    }
}
