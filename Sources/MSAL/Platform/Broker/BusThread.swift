// Licensed under the MIT License. See LICENSE.

import DBus
import Foundation
import MSALBase

/// Runs calls over the bus, which may block for seconds, on a dedicated thread.
enum BusThread {
    /// Runs `work` and returns its value.
    ///
    /// `work` receives a flag that is set when the calling task is canceled.
    static func run<Value: Sendable>(_ work: @escaping @Sendable (AtomicFlag) -> Value) async -> Value {
        await run(reporting: { flag, report in report(work(flag)) })
    }

    /// Runs `work`, which calls `report` once with the value and may continue afterward.
    static func run<Value: Sendable>(
        reporting work: @escaping @Sendable (_ flag: AtomicFlag, _ report: (Value) -> Void) -> Void
    ) async -> Value {
        let flag = AtomicFlag()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread(Log.carried { work(flag) { continuation.resume(returning: $0) } })
            }
        } onCancel: {
            flag.set()
        }
    }
}

extension AtomicFlag {
    /// The end of a wait: after this time, or when the flag is set.
    func deadline(_ time: Duration) -> Deadline {
        Deadline(after: time, isCanceled: { self.isSet })
    }
}
