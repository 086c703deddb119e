// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

/// The codes for one device (RFC 8628 §3.2; docs/reference/SignInModeRules.md#device-code).
package struct DeviceAuthorization: Sendable {
    /// The code that the user types.
    package let userCode: String
    /// The page on which the user types it.
    package let verificationURI: URL
    /// The address of that page with the code in it, if the service has such an address.
    package let completeVerificationURI: URL?
    /// The service's message for the user.
    package let message: String
    /// The time in which the codes may be used.
    package let lifetime: Duration
    /// The pause between two questions at first.
    package let interval: Duration
    /// Known to the device and the service alone.
    let deviceCode: Secret

    /// The pause where the service names none (RFC 8628 §3.2).
    private static let usualInterval = 5.0
    /// A service that names less is asked once a second.
    private static let shortestInterval = 1.0
    private static let usualLifetime = 900.0
    private static let longestLifetime = 86_400.0

    /// - Throws: `.invalidResponse` if a code or the address is missing, or what the user is shown could deceive a
    ///   terminal or lead to a page without TLS.
    init(members: [String: JSONValue]) throws(AuthError) {
        func number(_ name: String, or usual: Double) -> Double {
            guard let value = members[name]?.double, value.isFinite, value > 0 else { return usual }
            return value
        }
        func address(_ names: String...) -> URL? {
            let text = names.lazy.compactMap { members[$0]?.string }.first
            // An address that a user opens may be long, and a fault of it needs no separate message.
            guard let text, !text.hasControlCharacters, let url = URL(string: text),
                url.scheme?.lowercased() == "https", let address = try? HTTPAddress(built: url)
            else { return nil }
            return address.url
        }
        guard let deviceCode = members["device_code"]?.string, !deviceCode.isEmpty,
            let userCode = members["user_code"]?.string, (1...128).contains(userCode.utf8.count),
            !userCode.hasControlCharacters,
            let verificationURI = address("verification_uri", "verification_url")
        else {
            throw AuthError(
                .invalidResponse,
                message:
                    "The service's response to the request for a device code lacks a code or the address of its page."
            )
        }
        self.deviceCode = Secret(deviceCode)
        self.userCode = userCode
        self.verificationURI = verificationURI
        completeVerificationURI = address("verification_uri_complete")
        let message = members["message"]?.string ?? ""
        self.message =
            message.isEmpty || message.hasControlCharacters
            ? "To sign in, open \(verificationURI.absoluteString) in a browser and enter the code \(userCode)."
            : message
        let lifetime = min(number("expires_in", or: Self.usualLifetime), Self.longestLifetime)
        self.lifetime = .seconds(lifetime)
        interval = .seconds(max(Self.shortestInterval, min(number("interval", or: Self.usualInterval), lifetime)))
    }
}

/// An event while a device code is good.
package enum DeviceCodeEvent: Sendable {
    /// The service gave the codes. Show them to the user.
    case code(DeviceAuthorization, expiresOn: Date)
    /// The user is not done. The service is asked again after the pause.
    case waiting(pause: Duration)
    /// The service could not be asked, for this reason. It is asked again after the pause.
    case unreachable(AuthError, pause: Duration)
    /// The service rejects device codes for this reason. Another sign-in mode follows.
    case refused(AuthError)
}
