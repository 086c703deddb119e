// Licensed under the MIT License. See LICENSE.

extension TimeSource {
    /// Runs `work`, and calls `notice` if it takes longer than `pause`. After the work is done, `notice` is not called.
    package func noticing<Value>(
        after pause: Duration,
        _ notice: @escaping @Sendable () -> Void,
        during work: () async -> Value
    ) async -> Value {
        // Canceled and awaited at the end of this function.
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
