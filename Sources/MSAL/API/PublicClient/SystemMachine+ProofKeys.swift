// Licensed under the MIT License. See LICENSE.

import MSALCore
import SealedStore

extension SystemMachine {
    /// The key for proof-of-possession tokens, in a file next to the store of a group; in memory if the environment
    /// does not determine a directory for it.
    static func proofKeys(group: String, _ environment: [String: String]) -> any ProofKeys {
        // The store is in the same directory. Opening the store reports why there is none.
        guard let location = try? StoreLocation(group: group, environment: environment) else { return ProofKeyMemory() }
        return ProofKeyFile(directory: location.directory)
    }
}
