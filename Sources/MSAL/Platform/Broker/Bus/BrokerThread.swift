// Licensed under the MIT License. See LICENSE.

import DBus
import Foundation
import MSALBase

/// Runs what may block for seconds on a thread of its own.
enum BrokerThread {
    /// `work` gets a flag that is set when the calling task is cancelled.
    static func run<Value: Sendable>(_ work: @escaping @Sendable (AtomicFlag) -> Value) async -> Value {
        let flag = AtomicFlag()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread(Log.carried { continuation.resume(returning: work(flag)) })
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
