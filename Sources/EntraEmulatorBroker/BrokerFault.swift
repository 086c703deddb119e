// Licensed under the MIT License. See LICENSE.

/// A simulated fault, to test how a client reacts.
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

    private init(_ kind: Kind) { self.kind = kind }

    /// The broker has its name but not its object yet, as in the first moments after a start: `UnknownObject`.
    public static let startUpRace = BrokerFault(.unknownObject)
    /// There is no response until the client times out.
    public static let hang = BrokerFault(.hang)
    /// The broker exits in the middle of the call. Another one takes over its name a moment later.
    public static let death = BrokerFault(.death)
    /// The response is an empty string.
    public static let emptyResponse = BrokerFault(.text(""))
    /// The response is an HTML page.
    public static let html = BrokerFault(.text("<!DOCTYPE html><html><body>Sign in to the network</body></html>"))
    /// The response is JSON with this many nested levels.
    public static func deep(levels: Int = 1_000) -> BrokerFault {
        let open = String(repeating: #"{"a":"#, count: levels)
        return BrokerFault(.text(#"{"brokerTokenResponse":"# + open + "1" + String(repeating: "}", count: levels + 1)))
    }
    /// The response is this text.
    public static func response(_ text: String) -> BrokerFault { BrokerFault(.text(text)) }
    /// The response has this many bytes more than necessary.
    public static func huge(bytes: Int = 20_000_000) -> BrokerFault { BrokerFault(.padding(bytes: bytes)) }
    /// All numbers in the response are strings.
    public static let numbersAsText = BrokerFault(.numbersAsText)
    /// The expiry of tokens is in seconds since 1970 instead of milliseconds.
    public static let secondsForMilliseconds = BrokerFault(.secondsForMilliseconds)
    /// The tokens belong to another user of the directory.
    public static let otherAccount = BrokerFault(.otherAccount)
    /// The tokens belong to another application of the directory.
    public static let otherClient = BrokerFault(.otherClient)
    /// The broker requests a fallback to the flow without it (status 21).
    public static let fallBack = status(21, context: "Fall back to the flow without a broker.")

    /// The broker reports this status, from 0 to 21 or an unknown one, with a text, two additional numbers, and the
    /// location in the broker's code.
    public static func status(
        _ status: Int,
        context: String = "The double was asked to fail.",
        subStatus: Int = 0,
        errorCode: Int = 0,
        tag: Int = 0
    ) -> BrokerFault {
        BrokerFault(.refusal(status: status, subStatus: subStatus, errorCode: errorCode, tag: tag, context: context))
    }

    /// The bus reports this error, such as `org.freedesktop.DBus.Error.Failed`.
    public static func busError(_ name: String, message: String = "The double was asked to fail.") -> BrokerFault {
        BrokerFault(.busError(name: name, message: message))
    }
}
