// Licensed under the MIT License. See LICENSE.

import Foundation

@testable import MSAL
@testable import MSALSupport

/// A folder with a store of its own, removed when `body` ends.
func withTemporaryStore(_ body: (Folder) async throws -> Void) async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "msal-benchmark-\(UUID().uuidString)").path()
    defer { try? FileManager.default.removeItem(atPath: path) }  // It lies in the temporary folder anyway.
    try await body(Folder(path: path))
}

/// The location of a benchmark's store.
struct Folder {
    static let group = "benchmark"

    let path: String

    /// What a process finds in its environment when it starts. The key is in a file: the Secret Service's time is not
    /// ours.
    var environment: [String: String] { ["MSAL_STORE_DIR": path, "MSAL_STORE_KEY": "key-file"] }

    /// The store as an application opens it.
    func open() throws -> any TokenStore { try SystemMachine.store(group: Self.group, environment) }
}
