// Licensed under the MIT License. See LICENSE.

import GRPCCore
import MSALServer
import Orders
import TokenInterceptors

/// The methods, and who may call them.
struct OrdersService: RegistrableRPCService {
    static let requirements: [MethodDescriptor: MSALRequirement] = [
        Orders.list: .any(.scope("Orders.Read"), .applicationRole("Orders.Read.All")),
        Orders.add: .scope("Orders.Write"),
    ]

    private let book = OrderBook()

    func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
        router.registerHandler(
            forMethod: Orders.list,
            deserializer: JSONMessage<Orders.Query>(),
            serializer: JSONMessage<Orders.Order>()
        ) { _, _ in
            StreamingServerResponse { writer in
                let caller = try self.caller
                let orders = caller.kind == .application ? await book.all() : await book.of(try Owner(caller))
                for order in orders { try await writer.write(order) }
                return [:]
            }
        }
        router.registerHandler(
            forMethod: Orders.add,
            deserializer: JSONMessage<Orders.NewOrder>(),
            serializer: JSONMessage<Orders.Order>()
        ) { request, _ in
            let amount = try await ServerRequest(stream: request).message.amount
            let caller = try self.caller
            // The requirements on a caller may depend on the request.
            if amount > 1000 { try caller.require(.authenticationContext("c1")) }
            return StreamingServerResponse(single: ServerResponse(message: await book.add(amount, for: try Owner(caller))))
        }
    }

    /// A server without the interceptor serves no caller.
    private var caller: MSALPrincipal {
        get throws {
            guard let caller = Caller.current else { throw RPCError(code: .unauthenticated, message: "Nobody calls.") }
            return caller
        }
    }
}

/// The orders of this process. A real service has a database, with the tenant and the object ID of the owner as its key.
private actor OrderBook {
    private var byOwner: [Owner: [Orders.Order]] = [:]

    func all() -> [Orders.Order] { byOwner.values.flatMap(\.self) }

    func of(_ owner: Owner) -> [Orders.Order] { byOwner[owner] ?? [] }

    func add(_ amount: Int, for owner: Owner) -> Orders.Order {
        let order = Orders.Order(owner: owner.objectId, amount: amount)
        byOwner[owner, default: []].append(order)
        return order
    }
}

/// The owner of orders. Object IDs are unique within their tenant. Users can change their names and email addresses.
private struct Owner: Hashable {
    let tenant: String
    let objectId: String

    /// A caller whose token has no object ID owns nothing, because all such callers would share it.
    init(_ caller: MSALPrincipal) throws {
        guard let objectId = caller.objectId, !objectId.isEmpty, !caller.tenant.isEmpty else {
            throw RPCError(
                code: .permissionDenied,
                message: "The token names no user: it has no object ID (oid) or no tenant."
            )
        }
        tenant = caller.tenant
        self.objectId = objectId
    }
}
