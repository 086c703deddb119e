// Licensed under the MIT License. See LICENSE.

package import MSALCore
import SealedStore

extension SystemMachine {
    /// The key for proof-of-possession tokens, in a file beside the store of a group; in memory where the environment
    /// gives no place for one.
    package static func proofKeys(group: String, _ environment: [String: String]) -> any ProofKeys {
        // Why there is no place is told when the store is opened, which is kept there too.
        guard let location = try? StoreLocation(group: group, environment: environment) else { return ProofKeyMemory() }
        return ProofKeyFile(directory: location.directory)
    }
}
