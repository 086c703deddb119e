// Licensed under the MIT License. See LICENSE.

public import GRPCCore

/// The service `contoso.Orders`, shared by both sides.
public enum Orders {
    private static let service = ServiceDescriptor(package: "contoso", service: "Orders")

    /// All orders that the caller may see, one message each.
    public static let list = MethodDescriptor(service: service, method: "List")
    /// A new order of the caller.
    public static let add = MethodDescriptor(service: service, method: "Add")

    /// The request of ``list``.
    public struct Query: Codable, Sendable {
        public init() {}
    }

    /// The request of ``add``.
    public struct NewOrder: Codable, Sendable {
        public let amount: Int
        public init(amount: Int) { self.amount = amount }
    }

    /// An order.
    public struct Order: Codable, Sendable {
        /// The object ID of the user, or of the application's service principal.
        public let owner: String
        public let amount: Int

        public init(owner: String, amount: Int) {
            self.owner = owner
            self.amount = amount
        }
    }
}
