// Licensed under the MIT License. See LICENSE.

import Hummingbird
import MSALHummingbird
import MSALServer

/// The routes, and who may use them.
struct OrdersAPI {
    let validator: MSALTokenValidator
    let stock: Stock?
    private let orders = Orders()

    init(_ validator: MSALTokenValidator, stock: Stock? = nil) {
        self.validator = validator
        self.stock = stock
    }

    func router() -> Router<MSALAPIContext> {
        let router = Router(context: MSALAPIContext.self)
        router.get("health") { _, _ in HTTPResponse.Status.ok }
        let protected = router.group("orders").add(middleware: MSALAuthenticator(validator))

        let readers = protected.requires(.any(.scope("Orders.Read"), .applicationRole("Orders.Read.All")))
        readers.get { _, context in
            guard let caller = context.identity else { throw HTTPError(.unauthorized) }
            return caller.kind == .application ? await orders.all() : await orders.of(caller)
        }
        if let stock {
            readers.get("stock") { _, context in
                guard let caller = context.identity else { throw HTTPError(.unauthorized) }
                return try await stock.shelf(for: caller)
            }
        }
        protected.requires(scope: "Orders.Write").post(":amount") { _, context in
            guard let caller = context.identity else { throw HTTPError(.unauthorized) }
            let amount = try context.parameters.require("amount", as: Int.self)
            // What a caller needs may depend on the request.
            if amount > 1000 { try caller.require(.authenticationContext("c1")) }
            return await orders.add(amount, for: caller)
        }
        return router
    }
}

/// An order.
struct Order: ResponseEncodable, Sendable {
    let owner: String
    let amount: Int
}

/// The orders of this process. A real API has a database, with the tenant and the object id of the owner as its key.
actor Orders {
    private var byOwner: [String: [Order]] = [:]

    func all() -> [Order] { byOwner.values.flatMap(\.self) }

    func of(_ caller: MSALPrincipal) -> [Order] { byOwner[key(of: caller)] ?? [] }

    func add(_ amount: Int, for caller: MSALPrincipal) -> Order {
        let order = Order(owner: caller.objectId ?? "", amount: amount)
        byOwner[key(of: caller), default: []].append(order)
        return order
    }

    /// Object ids are unique within their tenant. Names and mail addresses can be changed by their owner.
    private func key(of caller: MSALPrincipal) -> String { "\(caller.tenant)/\(caller.objectId ?? "")" }
}
