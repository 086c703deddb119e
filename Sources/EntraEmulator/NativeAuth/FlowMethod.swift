// Licensed under the MIT License. See LICENSE.

import Foundation

/// A method that a flow offers.
struct FlowMethod: Sendable, Equatable {
    let id: String
    /// `email`, `sms`, `password`, or a type that no app supports.
    let type: String
    /// The address to which a code goes; `nil` if no code can be sent.
    let contact: StrongMethod?

    static let password = "password"

    var hint: String? { contact?.maskedAddress }
    var isPassword: Bool { type == Self.password }

    /// A method without a contact; its ID is always the same for the same user.
    init(type: String, of userName: String) {
        id = UUID.derived(from: "method", type, userName).text
        self.type = type
        contact = nil
    }

    /// A method with a contact.
    init(_ contact: StrongMethod) {
        id = contact.id
        type = contact.channel.rawValue
        self.contact = contact
    }

    /// The address that a customer signs in with.
    static func address(_ userName: String) -> FlowMethod {
        FlowMethod(
            StrongMethod(id: UUID.derived(from: "method", "email", userName).text, channel: .email, address: userName)
        )
    }

    /// The methods of these types that a user has: the registered ones, and the address of the user name.
    static func methods(of types: [String], for user: User?, named userName: String) -> [FlowMethod] {
        types.flatMap { type -> [FlowMethod] in
            let registered = (user?.secondFactors ?? []).filter { $0.channel.rawValue == type }.map { FlowMethod($0) }
            if !registered.isEmpty { return registered }
            return [
                type == StrongMethod.Channel.email.rawValue ? address(userName) : FlowMethod(type: type, of: userName)
            ]
        }
    }
}
