// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALServer

/// The results of calls at a fixed rate, none of which waits for another to end.
///
/// The calls start at even intervals, because calls that start together also wait for a processor together.
struct Load {
    private struct Call {
        /// From the call's arrival to its result, in microseconds.
        let time: Double
        let source: MSALTokenResult.Source
    }

    private let calls: [Call]

    /// Requests tokens of all sessions, from each instance in turn, a thousand times per second.
    init(on instances: [Instance], seconds: Double) async throws {
        calls = try await Self.evenly(a: 1000, seconds: seconds) { number, arrival in
            let instance = instances[number % instances.count]
            let result = try await instance.token(number % instance.sessions.count)
            return Call(time: arrival.cost().wall, source: result.source)
        }
    }

    var count: Int { calls.count }

    /// The time of the slowest call, in microseconds.
    var slowest: Double { calls.map(\.time).max() ?? .nan }

    /// The number of calls of more than 50 ms.
    var slow: Int { calls.count { $0.time > 50_000 } }

    /// The percentage of calls of at most 1 ms.
    var quickShare: Double { 100 * Double(calls.count { $0.time <= 1000 }) / Double(calls.count) }

    /// The number of calls that neither the cache nor the store served.
    var redemptions: Int { calls.count { $0.source != .cache } }

    /// The 99th percentile of the times, in microseconds.
    var percentile99: Double { calls.isEmpty ? .nan : calls.map(\.time).sorted()[calls.count * 99 / 100] }

    /// Starts calls from a separate thread, so that a busy thread pool delays none, and waits for all of them.
    private static func evenly(
        a second: Double,
        seconds: Double,
        _ call: @escaping @Sendable (Int, Moment) async throws -> Call
    ) async throws -> [Call] {
        let tasks = await withCheckedContinuation {
            (continuation: CheckedContinuation<[Task<Call, any Error>], Never>) in
            Thread.detachNewThread {
                var tasks: [Task<Call, any Error>] = []
                let begin = Moment()
                for number in 0..<Int(second * seconds) {
                    let left = Double(number) / second - begin.secondsSince
                    if left > 0 { usleep(useconds_t(left * 1e6)) }
                    let arrival = Moment()
                    // This function waits for each of them below.
                    tasks.append(Task { try await call(number, arrival) })
                }
                continuation.resume(returning: tasks)
            }
        }
        var calls: [Call] = []
        for task in tasks { calls.append(try await task.value) }
        return calls
    }
}
