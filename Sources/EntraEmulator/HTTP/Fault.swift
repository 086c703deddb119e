// Licensed under the MIT License. See LICENSE.

import Hummingbird
import NIOCore
import Synchronization

/// A failure of the next matching requests, to test how a client handles it.
///
/// ```swift
/// emulator.enqueueFault(Fault(refusal: .expiredSecret, clientID: seed.serviceClientID, count: Fault.always))
/// ```
public struct Fault: Sendable {
    /// The `count` of a fault that affects all matching requests, until the emulator is reset or the faults are
    /// cleared.
    public static let always = Int.max

    /// The end of the path, such as `/token`; an empty string matches every path.
    public var pathSuffix: String
    /// The method, such as `POST`; `nil` matches every method.
    public var method: String?
    /// The client ID of the request; `nil` matches every request.
    public var clientID: String?
    /// The ID or a domain of the tenant in the request's path; `nil` matches every tenant.
    public var tenant: String?
    /// The error response of the service; `nil` leaves the response to `status`.
    public var refusal: ServiceRefusal?
    /// The claims of the refusal, as JSON; `nil` uses the claims that the service would send.
    public var claims: String?
    /// The status of the response. `nil` lets the endpoint respond (after the delay), or uses the status of the
    /// refusal.
    public var status: Int?
    /// Header fields of the response, such as `Retry-After`.
    public var headers: [String: String]
    /// The body of the response; a refusal has its own.
    public var body: String
    /// The delay of the response, in real time.
    public var delay: Duration
    /// Whether the connection is closed instead of a response.
    public var dropsConnection = false
    /// How many bytes of the body are sent, after headers that announce the complete body. Then the connection is
    /// closed or, if `hangs` is set, kept open without further data. `nil` sends the whole response.
    public var stopsAfterBytes: Int?
    /// Whether the connection is kept open without data until the emulator stops: instead of a response, or after
    /// `stopsAfterBytes` of it.
    public var hangs = false
    /// The number of matching requests that the fault affects.
    public var count: Int
    /// The number of matching requests that pass before the first one is affected.
    public var skip = 0
    /// The probability that a matching request is affected, from 0 to 1.
    public var probability = 1.0
    /// The seed of the random selection: the same seed affects the same requests in every run.
    public var seed: UInt64 = 0

    /// Creates a fault with a different or delayed response; the defaults change nothing.
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

    /// Creates a fault that closes the connection instead of sending a response.
    public init(pathSuffix: String, method: String? = nil, dropsConnection: Bool, count: Int = 1) {
        self.init(pathSuffix: pathSuffix, method: method, count: count)
        self.dropsConnection = dropsConnection
    }

    /// Creates a fault that keeps the connection open without sending a response.
    public init(pathSuffix: String, method: String? = nil, hangs: Bool, count: Int = 1) {
        self.init(pathSuffix: pathSuffix, method: method, count: count)
        self.hangs = hangs
    }

    /// Creates a fault that sends only the beginning of a response.
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

    /// Creates a fault with an error response of the service at the token endpoint; by default, it affects the next
    /// request.
    public init(
        refusal: ServiceRefusal,
        pathSuffix: String = "/token",
        clientID: String? = nil,
        tenant: String? = nil,
        claims: String? = nil,
        retryAfter: Int? = nil,
        count: Int = 1
    ) {
        self.init(pathSuffix: pathSuffix, headers: retryAfter.map { ["Retry-After": String($0)] } ?? [:], count: count)
        self.refusal = refusal
        self.clientID = clientID
        self.tenant = tenant
        self.claims = claims
    }
}

extension Fault {
    /// The error that ends a connection because of a fault. When it is thrown, the listener closes the connection.
    struct Disconnection: Error {}

    /// Whether the client receives no part of a response.
    var isMute: Bool { dropsConnection || (hangs && stopsAfterBytes == nil) }

    /// The refusal as an error with the values of the request.
    func error(for exchange: Exchange) -> EntraError? {
        var error = refusal?.error(
            clientID: exchange.presentedClientID ?? "",
            scope: exchange.resourceScope ?? "",
            claims: claims,
            at: exchange.now
        )
        if let status { error?.status = status }
        return error
    }

    /// Ends the connection, either immediately or when the emulator stops.
    func disconnect() async throws -> Never {
        if hangs {
            // This stream never yields: the iteration ends when the emulator stops and cancels the task.
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
            try await body.write(TruncatedBody(rest: stopsAfterBytes, writer: writer))
            try await disconnect()
        }
    }
}

/// Writes only the beginning of a body.
private struct TruncatedBody: ResponseBodyWriter {
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

/// The pending faults, in the order in which they were added.
final class FaultQueue: Sendable {
    private let faults = Mutex<[Fault]>([])

    /// The pending faults.
    var pending: [Fault] { faults.withLock { $0 } }

    /// Appends a fault.
    func enqueue(_ fault: Fault) {
        guard fault.count > 0 else { return }
        faults.withLock { $0.append(fault) }
    }

    /// Returns and consumes the fault of this request, if there is one.
    ///
    /// `isNamed`: Whether an ID or domain belongs to the tenant in the request's path.
    func take(for exchange: Exchange, isNamed: (String) -> Bool) -> Fault? {
        faults.withLock { faults in
            // Usually, no fault is set.
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

    /// Removes all faults.
    func clear() { faults.withLock { $0.removeAll() } }
}
