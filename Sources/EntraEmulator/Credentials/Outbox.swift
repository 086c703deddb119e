// Licensed under the MIT License. See LICENSE.

public import Foundation

/// A message with a one-time code that the service would have sent to a user.
///
/// Its printed form hides ``code``.
public struct OutboxMessage: Sendable, CustomStringConvertible, CustomReflectable {
    /// The purposes of a code.
    public enum Purpose: String, Sendable {
        /// The code signs a customer in without a password.
        case signIn
        /// The code verifies the address of a new customer.
        case signUp
        /// The code lets a customer reset a password.
        case passwordReset
        /// The code is the second factor of a sign-in.
        case secondFactor
        /// The code registers a strong method.
        case registration
    }

    /// The emulated time.
    public let date: Date
    /// `email` or `sms`.
    public let channel: StrongMethod.Channel
    /// The e-mail address or telephone number.
    public let recipient: String
    /// The purpose of the code.
    public let purpose: Purpose
    /// The digits.
    public let code: String

    /// One line without the code.
    public var description: String { "\(channel.rawValue) to \(recipient) (\(purpose.rawValue)): a code" }
    /// The same as ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// The messages that were "sent". None of them leaves the machine.
typealias Outbox = RecentList<OutboxMessage>

extension Outbox {
    /// The number of codes sent to a recipient since a time.
    func count(to recipient: String, since date: Date) -> Int {
        elements.count { $0.date > date && $0.recipient.lowercased() == recipient.lowercased() }
    }
}
