// Licensed under the MIT License. See LICENSE.

/// A fault that a test asks for, to see how a client reacts.
public struct BrokerFault: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case unknownObject
        case hang
        case death
        case text(String)
        case padding(bytes: Int)
        case numbersAsText
        case secondsForMilliseconds
        case otherAccount
        case otherClient
        case refusal(status: Int, subStatus: Int, errorCode: Int, tag: Int, context: String)
        case busError(name: String, message: String)
    }

    let kind: Kind

    private init(_ kind: Kind) {
        self.kind = kind
    }

    /// The broker has its name but not yet its object, as in the first moments after it starts: `UnknownObject`.
    public static let startUpRace = BrokerFault(.unknownObject)
    /// There is no response until the client gives up.
    public static let hang = BrokerFault(.hang)
    /// The broker dies in the middle of the call. Another one has its name a moment later.
    public static let death = BrokerFault(.death)
    /// The response is an empty text.
    public static let emptyResponse = BrokerFault(.text(""))
    /// The response is a page.
    public static let html = BrokerFault(.text("<!DOCTYPE html><html><body>Sign in to the network</body></html>"))
    /// The response is JSON with this many nested levels.
    public static func deep(levels: Int = 1_000) -> BrokerFault {
        let open = String(repeating: #"{"a":"#, count: levels)
        return BrokerFault(.text(#"{"brokerTokenResponse":"# + open + "1" + String(repeating: "}", count: levels + 1)))
    }
    /// The response is this text.
    public static func response(_ text: String) -> BrokerFault { BrokerFault(.text(text)) }
    /// The response has this many bytes more than it needs.
    public static func huge(bytes: Int = 20_000_000) -> BrokerFault { BrokerFault(.padding(bytes: bytes)) }
    /// Every number of the response is a text.
    public static let numbersAsText = BrokerFault(.numbersAsText)
    /// The ends of tokens are seconds since 1970, and not milliseconds.
    public static let secondsForMilliseconds = BrokerFault(.secondsForMilliseconds)
    /// The tokens are those of another user of the directory.
    public static let otherAccount = BrokerFault(.otherAccount)
    /// The tokens are those of another application of the directory.
    public static let otherClient = BrokerFault(.otherClient)
    /// The broker wants the request to be made without it (status 21).
    public static let fallBack = status(21, context: "Fall back to the flow without a broker.")

    /// The broker reports this status, one of 0 to 21 or one that nobody knows, with a text, two further numbers, and the
    /// place in the broker's code.
    public static func status(
        _ status: Int,
        context: String = "The double was asked to fail.",
        subStatus: Int = 0,
        errorCode: Int = 0,
        tag: Int = 0
    ) -> BrokerFault {
        BrokerFault(
            .refusal(status: status, subStatus: subStatus, errorCode: errorCode, tag: tag, context: context)
        )
    }

    /// The bus reports this error, such as `org.freedesktop.DBus.Error.Failed`.
    public static func busError(_ name: String, message: String = "The double was asked to fail.") -> BrokerFault {
        BrokerFault(.busError(name: name, message: message))
    }
}
