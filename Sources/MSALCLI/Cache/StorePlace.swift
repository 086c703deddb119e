// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import SealedStore

/// Where a token store is, or would be made by the first sign-in.
struct StorePlace {
    let location: StoreLocation
    /// Whether this process may make files in a directory.
    var isWritable: (String) -> Bool = { access($0, W_OK | X_OK) == 0 }

    /// The deepest part of the path that is there.
    var existingDirectory: String {
        var path = location.directory
        while path.count > 1, access(path, F_OK) != 0 { path = (path as NSString).deletingLastPathComponent }
        return path
    }

    /// The failed check `name`, if nothing can be written there; else `nil`.
    func failedCheck(_ name: String) -> Check? {
        let directory = existingDirectory
        guard !isWritable(directory) else { return nil }
        return Check(
            name: name,
            isGood: false,
            finding: "\(location.file): \(directory) cannot be written to, so no sign-in is kept",
            remedy: "Make it a directory that user \(geteuid()) may write to, or set MSAL_STORE_DIR to one.",
            status: .store
        )
    }
}
