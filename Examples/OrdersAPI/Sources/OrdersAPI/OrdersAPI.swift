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
            return caller.kind == .application ? await orders.all() : await orders.of(try Owner(caller))
        }
        if let stock {
            readers.get("stock") { _, context in
                guard let caller = context.identity else { throw HTTPError(.unauthorized) }
                do {
                    return try await stock.shelf(for: caller)
                } catch let error as MSALDownstreamError where error.challenge == nil {
                    // The middleware passes a challenge on to the caller. Any other cause is logged: its text contains no
                    // token, and nothing that the other API sent.
                    context.logger.error("The stock cannot be read.", metadata: ["cause": "\(error)"])
                    throw HTTPError(.badGateway)
                }
            }
        }
        protected.requires(scope: "Orders.Write").post(":amount") { _, context in
            guard let caller = context.identity else { throw HTTPError(.unauthorized) }
            let amount = try context.parameters.require("amount", as: Int.self)
            // The requirements on a caller may depend on the request.
            if amount > 1000 { try caller.require(.authenticationContext("c1")) }
            return await orders.add(amount, for: try Owner(caller))
        }
        return router
    }
}

/// An order.
struct Order: ResponseEncodable, Sendable {
    let owner: String
    let amount: Int
}

/// The orders of this process. A real API has a database, with the tenant and the object ID of the owner as its key.
actor Orders {
    private var byOwner: [Owner: [Order]] = [:]

    func all() -> [Order] { byOwner.values.flatMap(\.self) }

    func of(_ owner: Owner) -> [Order] { byOwner[owner] ?? [] }

    func add(_ amount: Int, for owner: Owner) -> Order {
        let order = Order(owner: owner.objectId, amount: amount)
        byOwner[owner, default: []].append(order)
        return order
    }
}

/// The owner of orders. Object IDs are unique within their tenant. Users can change their names and email addresses.
struct Owner: Hashable {
    let tenant: String
    let objectId: String

    /// A caller whose token has no object ID owns nothing, because all such callers would share it.
    init(_ caller: MSALPrincipal) throws {
        guard let objectId = caller.objectId, !objectId.isEmpty, !caller.tenant.isEmpty else {
            throw HTTPError(.forbidden, message: "The token names no user: it has no object ID (oid) or no tenant.")
        }
        tenant = caller.tenant
        self.objectId = objectId
    }
}
