// Licensed under the MIT License. See LICENSE.

import Synchronization

/// Something that goes wrong with the next matching request, so that a client's bad days can be tested.
public struct Fault: Sendable {
    /// The end of the path, such as `/token`; an empty text matches every path.
    public var pathSuffix: String
    /// The method, such as `POST`; `nil` matches every one.
    public var method: String?
    /// The status to answer with; `nil` lets the endpoint answer (after the delay).
    public var status: Int?
    /// Header fields of the answer.
    public var headers: [String: String]
    /// The body of the answer.
    public var body: String
    /// How long the answer is held back, in real time.
    public var delay: Duration
    /// Whether the connection is closed instead of an answer.
    public var dropsConnection: Bool
    /// How many matching requests are affected.
    public var count: Int

    /// Describes a fault; what is left out does not happen.
    public init(
        pathSuffix: String,
        method: String? = nil,
        status: Int? = nil,
        headers: [String: String] = [:],
        body: String = "",
        delay: Duration = .zero,
        dropsConnection: Bool = false,
        count: Int = 1
    ) {
        self.pathSuffix = pathSuffix
        self.method = method
        self.status = status
        self.headers = headers
        self.body = body
        self.delay = delay
        self.dropsConnection = dropsConnection
        self.count = count
    }
}

/// The faults that are still to happen, in the order in which they were added.
final class FaultQueue: Sendable {
    private let faults = Mutex<[Fault]>([])

    /// What is still to happen.
    var pending: [Fault] { faults.withLock { $0 } }

    /// Adds a fault behind the others.
    func enqueue(_ fault: Fault) {
        guard fault.count > 0 else { return }
        faults.withLock { $0.append(fault) }
    }

    /// The fault of this request, if there is one; it counts as used.
    func take(method: String, path: String) -> Fault? {
        faults.withLock { faults in
            let index = faults.firstIndex { path.hasSuffix($0.pathSuffix) && ($0.method ?? method) == method }
            guard let index else { return nil }
            let fault = faults[index]
            faults[index].count -= 1
            if faults[index].count == 0 { faults.remove(at: index) }
            return fault
        }
    }

    /// Forgets all faults.
    func clear() {
        faults.withLock { $0.removeAll() }
    }
}
