// Licensed under the MIT License. See LICENSE.

extension Result {
    /// The outcome of a call that waits. The library of Swift has the same for calls that do not.
    package init(catching call: () async throws(Failure) -> Success) async {
        do throws(Failure) {
            self = .success(try await call())
        } catch {
            self = .failure(error)
        }
    }
}
