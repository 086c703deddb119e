// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The response of a method, read from the broker's text. Members that nobody knows are passed over.
struct BrokerResponse {
    let method: BrokerMethod
    /// The members of the response; of a token, those inside of its envelope.
    let members: [String: JSONValue]

    /// Arrays and objects inside each other. An honest response has five.
    private static let maximumDepth = 32

    /// Reads `text`, which was the response to `method`. `secrets` are those of the request.
    ///
    /// Throws the failure that the broker reports, or `.unreadable`. An empty text is how Himmelblau says that its daemon
    /// gave no response; for a silent token only the user can help then.
    init(_ text: String, to method: BrokerMethod, secrets: [Secret] = []) throws(BrokerFailure) {
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
        guard let all = value.object else { throw Self.unreadable("is no JSON object", method: method) }
        let envelope = method.hasTokenResponse ? all["brokerTokenResponse"]?.object : nil
        members = envelope ?? all
        for object in [members, all] {
            guard let error = object["error"], error != .null, error != .object([:]) else { continue }
            var failure = BrokerReport(error, in: object, secrets: secrets).failure(of: method)
            failure.brokerVersion = all["telemetry"]?.object?["broker_version"].flatMap(Self.version)
            throw failure
        }
        if method.hasTokenResponse, envelope == nil { throw unreadable("has no brokerTokenResponse") }
    }

    /// The version in the words of a broker, if it is short and of printable ASCII.
    static func version(_ value: JSONValue) -> String? {
        guard let text = value.string, text.wholeMatch(of: /[!-~]([ -~]{0,62}[!-~])?/) != nil else { return nil }
        return text
    }

    func unreadable(_ reason: String) -> BrokerFailure { Self.unreadable(reason, method: method) }

    private static func unreadable(_ reason: String, method: BrokerMethod) -> BrokerFailure {
        BrokerFailure(.unreadable, message: "The broker's response to \(method.rawValue) \(reason). Nothing was used.")
    }
}
