// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The response of a method, parsed from the broker's text. Unknown members are ignored.
struct BrokerResponse {
    let method: IdentityBrokerMethod
    /// The members of the response; for a token, those inside its envelope.
    let members: [String: JSONValue]

    /// The maximum nesting depth of arrays and objects. Valid responses need five.
    private static let maximumDepth = 32

    /// Parses `text`, the response to `method`. `secrets` are those of the request.
    ///
    /// Throws the failure that the broker reports, or `.unreadable`. Himmelblau sends an empty text if its daemon did
    /// not respond; for a silent token, only user interaction can help then.
    init(_ text: String, to method: IdentityBrokerMethod, secrets: [Secret] = []) throws(BrokerFailure) {
        self.method = method
        guard !text.isEmpty else {
            throw BrokerFailure(
                method == .tokenSilently ? .interactionRequired : .unreadable,
                message: "The broker's response to \(method.rawValue) is empty: it has neither a token nor an error."
            )
        }
        let value: JSONValue
        do throws(JSONReader.Fault) {
            value = try JSONReader.value(of: text.utf8, maximumDepth: Self.maximumDepth)
        } catch {
            throw Self.unreadable("is not JSON: \(error)", method: method)
        }
        guard let all = value.object else { throw Self.unreadable("is not a JSON object", method: method) }
        let envelope = method.hasTokenResponse ? all["brokerTokenResponse"]?.object : nil
        members = envelope ?? all
        for object in [members, all] {
            guard let error = object["error"], error != .null, error != .object([:]) else { continue }
            var failure = BrokerErrorMember(error, in: object, secrets: secrets).failure(of: method)
            failure.brokerVersion = all["telemetry"]?.object?["broker_version"].flatMap(Self.version)
            throw failure
        }
        if method.hasTokenResponse, envelope == nil { throw unreadable("has no brokerTokenResponse") }
    }

    /// The version as a broker states it, if it is short and printable ASCII.
    static func version(_ value: JSONValue) -> String? {
        guard let text = value.string, text.wholeMatch(of: /[!-~]([ -~]{0,62}[!-~])?/) != nil else { return nil }
        return text
    }

    func unreadable(_ reason: String) -> BrokerFailure { Self.unreadable(reason, method: method) }

    private static func unreadable(_ reason: String, method: IdentityBrokerMethod) -> BrokerFailure {
        BrokerFailure(.unreadable, message: "The broker's response to \(method.rawValue) \(reason). It was not used.")
    }
}
