// Licensed under the MIT License. See LICENSE.

import Hummingbird
import NIOCore
import Synchronization

/// A failure of the next matching requests, so that a client can be tested with it.
///
/// ```swift
/// emulator.enqueueFault(Fault(refusal: .expiredSecret, clientID: seed.serviceClientID, count: Fault.always))
/// ```
public struct Fault: Sendable {
    /// The `count` of a fault that affects every matching request, until the emulator is reset or the faults are cleared.
    public static let always = Int.max

    /// The end of the path, such as `/token`; an empty text matches every path.
    public var pathSuffix: String
    /// The method, such as `POST`; `nil` matches every one.
    public var method: String?
    /// The client id of the request; `nil` matches every one.
    public var clientID: String?
    /// The id or a domain of the tenant in the request's path; `nil` matches every one.
    public var tenant: String?
    /// The endpoint's refusal in the words of the service; `nil` leaves the response to `status`.
    public var refusal: ServiceRefusal?
    /// The claims of the refusal, as JSON; `nil` means what the service would send.
    public var claims: String?
    /// The status of the response. `nil` lets the endpoint respond (after the delay), or takes the status of the
    /// refusal.
    public var status: Int?
    /// Header fields of the response, such as `Retry-After`.
    public var headers: [String: String]
    /// The body of the response; a refusal has its own.
    public var body: String
    /// The time for which the response is held back, in real time.
    public var delay: Duration
    /// Whether the connection is closed instead of a response.
    public var dropsConnection = false
    /// How many bytes of the body are sent, after a head that announces all of it; then the connection is closed, or
    /// stays silent where `hangs` is set. `nil` sends the whole response.
    public var stopsAfterBytes: Int?
    /// Whether the connection is left open in silence until the emulator stops: instead of a response, or after
    /// `stopsAfterBytes` of one.
    public var hangs = false
    /// The number of matching requests that the fault affects.
    public var count: Int
    /// The number of matching requests that pass before the first one is affected.
    public var skip = 0
    /// The probability that a matching request is affected, from 0 to 1.
    public var probability = 1.0
    /// The seed of the random choice: the same seed affects the same requests in every run.
    public var seed: UInt64 = 0

    /// Describes another response, or a late one; the defaults change nothing.
    public init(
        pathSuffix: String,
        method: String? = nil,
        status: Int? = nil,
        headers: [String: String] = [:],
        body: String = "",
        delay: Duration = .zero,
        count: Int = 1
    ) {
        self.pathSuffix = pathSuffix
        self.method = method
        self.status = status
        self.headers = headers
        self.body = body
        self.delay = delay
        self.count = count
    }

    /// Describes a connection that is closed instead of a response.
    public init(pathSuffix: String, method: String? = nil, dropsConnection: Bool, count: Int = 1) {
        self.init(pathSuffix: pathSuffix, method: method, count: count)
        self.dropsConnection = dropsConnection
    }

    /// Describes a connection that is left open in silence instead of a response.
    public init(pathSuffix: String, method: String? = nil, hangs: Bool, count: Int = 1) {
        self.init(pathSuffix: pathSuffix, method: method, count: count)
        self.hangs = hangs
    }

    /// Describes a response of which only the beginning comes.
    public init(
        pathSuffix: String,
        method: String? = nil,
        stopsAfterBytes: Int?,
        hangs: Bool = false,
        count: Int = 1
    ) {
        self.init(pathSuffix: pathSuffix, method: method, hangs: hangs, count: count)
        self.stopsAfterBytes = stopsAfterBytes
    }

    /// Describes a refusal of the token endpoint in the words of the service; the defaults affect the next request.
    public init(
        refusal: ServiceRefusal,
        pathSuffix: String = "/token",
        clientID: String? = nil,
        tenant: String? = nil,
        claims: String? = nil,
        retryAfter: Int? = nil,
        count: Int = 1
    ) {
        self.init(
            pathSuffix: pathSuffix,
            headers: retryAfter.map { ["Retry-After": String($0)] } ?? [:],
            count: count
        )
        self.refusal = refusal
        self.clientID = clientID
        self.tenant = tenant
        self.claims = claims
    }
}

extension Fault {
    /// The error that ends a connection because of a fault. The listener closes the connection when it is thrown.
    struct Disconnection: Error {}

    /// Whether the client gets no part of a response.
    var isMute: Bool { dropsConnection || (hangs && stopsAfterBytes == nil) }

    /// The refusal as an error that names the values of the request.
    func error(for exchange: Exchange) -> EntraError? {
        var error = refusal?.error(
            clientID: exchange.presentedClientID ?? "",
            scope: exchange.resourceScope ?? "",
            claims: claims
        )
        if let status { error?.status = status }
        return error
    }

    /// Ends the connection, at once or with the emulator.
    func disconnect() async throws -> Never {
        if hangs {
            // Nothing ever comes from this stream: iterating ends when the emulator's stop cancels the task.
            let (silence, continuation) = AsyncStream.makeStream(of: Never.self)
            for await _ in silence {}
            continuation.finish()
        }
        throw Disconnection()
    }

    /// The part of a body that this fault lets through.
    func cut(_ body: ResponseBody) -> ResponseBody {
        guard let stopsAfterBytes else { return body }
        return ResponseBody(contentLength: body.contentLength) { writer in
            try await body.write(FirstBytes(rest: stopsAfterBytes, writer: writer))
            try await disconnect()
        }
    }
}

/// Writes the beginning of a body, and never its end.
private struct FirstBytes: ResponseBodyWriter {
    var rest: Int
    var writer: any ResponseBodyWriter

    @concurrent mutating func write(_ buffer: ByteBuffer) async throws {
        let part = buffer.getSlice(at: buffer.readerIndex, length: min(rest, buffer.readableBytes))
        guard let part, part.readableBytes > 0 else { return }
        rest -= part.readableBytes
        try await writer.write(part)
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

/// The faults that are still to happen, in the order in which they were added.
final class FaultQueue: Sendable {
    private let faults = Mutex<[Fault]>([])

    /// The faults that are still to happen.
    var pending: [Fault] { faults.withLock { $0 } }

    /// Adds a fault behind the others.
    func enqueue(_ fault: Fault) {
        guard fault.count > 0 else { return }
        faults.withLock { $0.append(fault) }
    }

    /// The fault of this request, if there is one; it counts as used.
    ///
    /// `isNamed`: Whether this id or domain is that of the tenant in the request's path.
    func take(for exchange: Exchange, isNamed: (String) -> Bool) -> Fault? {
        faults.withLock { faults in
            // Nearly always no fault is set.
            guard !faults.isEmpty else { return nil }
            let index = faults.firstIndex { fault in
                exchange.path.hasSuffix(fault.pathSuffix)
                    && (fault.method ?? exchange.method.rawValue) == exchange.method.rawValue
                    && fault.clientID.map { $0.lowercased() == exchange.presentedClientID?.lowercased() } ?? true
                    && fault.tenant.map(isNamed) ?? true
            }
            guard let index else { return nil }
            if faults[index].skip > 0 {
                faults[index].skip -= 1
                return nil
            }
            let fault = faults[index]
            if fault.probability < 1 {
                let (chance, next) = Self.chance(after: fault.seed)
                faults[index].seed = next
                guard chance < fault.probability else { return nil }
            }
            if fault.count != Fault.always { faults[index].count -= 1 }
            if faults[index].count == 0 { faults.remove(at: index) }
            return fault
        }
    }

    /// A random number from 0 to 1, and the state for the next one (SplitMix64: Steele, Lea and Flood, "Fast splittable
    /// pseudorandom number generators").
    private static func chance(after state: UInt64) -> (chance: Double, next: UInt64) {
        let next = state &+ 0x9E37_79B9_7F4A_7C15
        var mixed = (next ^ (next >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        return (Double(mixed >> 11) / Double(1 << 53 as UInt64), next)
    }

    /// Forgets all faults.
    func clear() {
        faults.withLock { $0.removeAll() }
    }
}
