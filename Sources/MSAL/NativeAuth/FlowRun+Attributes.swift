// Licensed under the MIT License. See LICENSE.

import MSALBase

extension FlowRun {
    /// The service collects attributes of a new user: sends those that are known, and asks the app for the others
    /// (docs/reference/NativeAuthV2.md#attributes).
    mutating func collect(_ members: FlowMembers) throws(NativeAuthFailure) -> Consequence {
        guard let link = members.link("submitAttributes", below: authority).usable else {
            throw missing("submitAttributes")
        }
        var wanted: [NativeAuth.RequiredAttribute] = []
        for attribute in members.objects("attributes") {
            guard let name = attribute.text("attributeId") else { continue }
            wanted.append(
                NativeAuth.RequiredAttribute(
                    name: name,
                    type: attribute.text("inputType") ?? "text",
                    isRequired: attribute.flag("required") ?? false,
                    regex: attribute.text("regex", "validationRegex")
                )
            )
        }
        if case .attributes(let sent) = context, wanted.contains(where: { sent.contains($0.name.lowercased()) }) {
            throw failure("The service asks again for attributes that it was just given.")
        }
        let known = knownValues
        let required = wanted.filter { $0.isRequired && known[$0.name.lowercased()] == nil }
        let form = NativeAuth.AttributeForm(
            submission: link,
            names: wanted.map(\.name),
            values: Dictionary(wanted.compactMap { one in known[one.name.lowercased()].map { (one.name, $0) } }) {
                first,
                _ in first
            },
            passwordName: required.first { $0.isPassword }?.name
        )
        let open = required.filter { !$0.isPassword }
        guard open.isEmpty else {
            return .step(.attributesRequired(NativeAuth.FlowAttributes(flow: flow, attributes: open, form: form)))
        }
        return submission(of: form)
    }

    /// Asks for the password, if it is still missing, or sends the attributes.
    mutating func submission(of form: NativeAuth.AttributeForm) -> Consequence {
        if let name = form.passwordName, form.values[name] == nil {
            return .step(.passwordRequired(NativeAuth.FlowPassword(flow: flow, target: .attributes(form))))
        }
        let values = form.values.filter { $0.value != .null }
        context = .attributes(Set(values.keys.map { $0.lowercased() }))
        return .request(
            FlowRequest(
                .submitAttributes,
                to: form.submission,
                token: token,
                members: ["attributes": .object(form.values)],
                secrets: form.values.compactMap { name, value in
                    name.lowercased() == "password" ? value.string.map { Secret($0) } : nil
                }
            )
        )
    }

    /// The values that are known from the start, by their names in lowercase.
    private var knownValues: [String: JSONValue] {
        var known = Dictionary(flow.attributes.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
        known["password"] = nil
        known["email"] = .string(flow.continuation.username)
        return known.filter { $0.value != .null }
    }
}

extension NativeAuth.RequiredAttribute {
    /// Whether this is the password, which is requested separately.
    fileprivate var isPassword: Bool { name.lowercased() == "password" }
}

extension NativeAuth.AttributeForm {
    /// The form with the app's values. A name that the service listed is sent with the service's spelling.
    func filled(with values: [String: JSONValue]) -> NativeAuth.AttributeForm {
        var copy = self
        for (name, value) in values {
            copy.values[names.first { $0.lowercased() == name.lowercased() } ?? name] = value
        }
        return copy
    }
}
