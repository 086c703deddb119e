// Licensed under the MIT License. See LICENSE.

/// The machine as it is: what `MSALPublicClientApplication(configuration:)` runs on.
package enum SystemMachine {
    /// Network, browser, clock and randomness of this machine.
    ///
    /// `caFile` is a PEM file with certificate authorities to trust in addition.
    package static func platform(caFile: URL?, _ environment: [String: String]) -> Platform {
        let time = SystemTime()
        let network = AsyncHTTPClientTransport(HTTPSettings(caFile: caFile, environment: environment))
        let retrying = RetryingTransport(
            base: network,
            settings: { MSALGlobalConfig.httpConfig.snapshot },
            time: time
        )
        return Platform(
            transport: retrying,
            agent: SystemBrowserAgent(environment: environment, time: time),
            time: time,
            environment: environment
        )
    }

    /// The token store of a group.
    ///
    /// - Throws: `.invalidLocation` if the environment and the group give no path; other failures come when the store
    ///   is first used.
    package static func store(group: String, _ environment: [String: String]) throws(StoreError) -> any TokenStore {
        SQLiteStore(
            location: try StoreLocation(group: group, environment: environment),
            keys: SingleKeySource(KeyFileKeys())
        )
    }
}
