// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The JSON grammar of a claims request.
enum ClaimsText {
    /// Parses the text of a claims request.
    ///
    /// - Throws: `NSError`: `NSCocoaErrorDomain` 3840 if the text is not JSON, the detail -42000 for other faults.
    static func parse(_ text: String) throws(NSError) -> [MSALClaimsRequestTarget: [MSALIndividualClaimRequest]] {
        guard let json = JSONValue(parsing: Data(text.utf8)) else {
            throw NSError(
                domain: NSCocoaErrorDomain,
                code: CocoaError.Code.propertyListReadCorrupt.rawValue,
                userInfo: [NSLocalizedDescriptionKey: "The claims request is not JSON text."]
            )
        }
        guard let members = json.object else { throw fault("it is not an object") }
        var claims: [MSALClaimsRequestTarget: [MSALIndividualClaimRequest]] = [:]
        for (name, value) in members {
            guard let target = [MSALClaimsRequestTarget.idToken, .accessToken].first(where: { $0.name == name }) else {
                throw fault("\(name) is neither id_token nor access_token")
            }
            guard let requests = value.object else { throw fault("\(name) is not an object") }
            claims[target] = try requests.sorted { $0.key < $1.key }.map { (name, value) throws(NSError) in
                try request(name, from: value)
            }
        }
        return claims
    }

    private static func request(_ name: String, from value: JSONValue) throws(NSError) -> MSALIndividualClaimRequest {
        let request = MSALIndividualClaimRequest(name: name)
        if value == .null { return request }
        guard let members = value.object else { throw fault("the claim \(name) is neither null nor an object") }
        let info = MSALIndividualClaimRequestAdditionalInfo()
        guard !Set(members.keys).isDisjoint(with: ["essential", "value", "values"]) else {
            throw fault("the claim \(name) has none of the members essential, value and values")
        }
        switch members["essential"] {
        case nil: break
        case .bool(let isEssential): info.essential = NSNumber(value: isEssential)
        case .integer(let number): info.essential = NSNumber(value: number != 0)
        case .number(let number): info.essential = NSNumber(value: number != 0)
        case .null, .string, .array, .object: throw fault("essential of the claim \(name) is not a Boolean")
        }
        info.value = members["value"]?.foundationObject
        if let values = members["values"] {
            guard let values = values.array else { throw fault("values of the claim \(name) is not an array") }
            info.values = values.map(\.foundationObject)
        }
        request.additionalInfo = info
        return request
    }

    /// The JSON value of one claim.
    ///
    /// - Throws: The detail -42000 for a value that JSON cannot represent.
    static func value(_ request: MSALIndividualClaimRequest) throws(NSError) -> JSONValue {
        guard let info = request.additionalInfo else { return .null }
        var members: [String: JSONValue] = [:]
        if let essential = info.essential { members["essential"] = .bool(essential.doubleValue != 0) }
        if let value = info.value { members["value"] = try json(value, of: request.name) }
        if let values = info.values {
            members["values"] = .array(try values.map { value throws(NSError) in try json(value, of: request.name) })
        }
        return members.isEmpty ? .null : .object(members)
    }

    private static func json(_ value: Any, of name: String) throws(NSError) -> JSONValue {
        // JSONSerialization determines which of the app's objects are JSON, and how to interpret a number.
        guard
            JSONSerialization.isValidJSONObject([value]),
            let data = try? JSONSerialization.data(withJSONObject: [value]),  // Checked in the line above.
            let json = JSONValue(parsing: data)?.array?.first
        else { throw fault("a value of the claim \(name) has no form in JSON") }
        return json
    }

    private static func fault(_ what: String) -> NSError {
        AuthError(.invalidParameter, message: "The claims request cannot be used: \(what).").nsError
    }
}
