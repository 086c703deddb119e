// Licensed under the MIT License. See LICENSE.

extension TimeSource {
    /// Does some work, and calls `notice` if that takes longer than `pause`. Once the work is done, `notice` is not called
    /// any more.
    package func noticing<Value>(
        after pause: Duration,
        _ notice: @escaping @Sendable () -> Void,
        during work: () async -> Value
    ) async -> Value {
        // It is cancelled and awaited at the end of this function.
        async let _: Void = sleepAndCall(after: pause, notice)
        return await work()
    }

    private func sleepAndCall(after pause: Duration, _ notice: @Sendable () -> Void) async {
        do throws(CancellationError) {
            try await sleep(for: pause)
        } catch {
            return
        }
        notice()
    }
}
