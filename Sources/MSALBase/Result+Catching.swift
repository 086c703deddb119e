// Licensed under the MIT License. See LICENSE.

extension Result {
    /// The result of an asynchronous call. The standard library has the same initializer for synchronous calls.
    package init(catching call: () async throws(Failure) -> Success) async {
        do throws(Failure) {
            self = .success(try await call())
        } catch {
            self = .failure(error)
        }
    }
}
