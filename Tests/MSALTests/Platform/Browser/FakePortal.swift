// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import DBus
import Synchronization
import TestSupport

/// The desktop portal on a ``FakeBus``, with a user who responds at once or not at all.
final class FakePortal: Sendable {
    /// One call of `OpenURI`.
    struct Request: Sendable, Equatable {
        let parentWindow: String
        let address: String
    }

    /// The error with which it responds to `OpenURI`, if any.
    private let error: String?
    /// The code of the response. Without one, the user does not choose.
    private let code: UInt32?
    /// Whether it leaves the bus after its reply.
    private let leaves: Bool
    private let received = Mutex<[Request]>([])
    /// Every request as it arrives.
    let arrivals: AsyncStream<Request>
    private let arrival: AsyncStream<Request>.Continuation

    init(code: UInt32? = 0, error: String? = nil, leaves: Bool = false) {
        self.code = code
        self.leaves = leaves
        self.error = error
        (arrivals, arrival) = AsyncStream.makeStream(of: Request.self)
    }

    var requests: [Request] { received.withLock { $0 } }

    func bus() throws -> FakeBus {
        try FakeBus(names: ["org.freedesktop.portal.Desktop"]) { self.answer($0) }
    }

    private func answer(_ call: DBusMessage) -> [FakeBus.Action] {
        guard call.member == "OpenURI", let values = try? call.values(), values.count == 3,
            let parent = values[0].string, let address = values[1].string,
            case .dictionary(_, _, let options) = values[2],
            case .variant(.string(let token))? = options.first(where: { $0.key == .string("handle_token") })?.value
        else { return [.error("org.freedesktop.DBus.Error.InvalidArgs")] }
        let request = Request(parentWindow: parent, address: address)
        received.withLock { $0.append(request) }
        arrival.yield(request)
        if let error { return [.error(error)] }
        // The caller is `:1.1` on every fake bus.
        let handle = "/org/freedesktop/portal/desktop/request/1_1/\(token)"
        let response = code.map { code in
            FakeBus.Action.signal(
                path: handle,
                interface: "org.freedesktop.portal.Request",
                member: "Response",
                [.uint32(code), .variants([])]
            )
        }
        // Before the reply, as a fast portal may.
        return [response, .answer([.objectPath(handle)]), leaves ? .departure : nil].compactMap(\.self)
    }
}
