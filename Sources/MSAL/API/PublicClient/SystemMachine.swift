// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore
package import SealedStore
private import Synchronization

/// The actual machine, on which an application runs that is only given a configuration.
package struct SystemMachine {
    /// Network, browser, clock, and randomness, with the proof-of-possession key of the configuration's group.
    package let platform: Platform

    /// The token store: the app's own cache if it has one, otherwise the store of its group.
    package let store: any TokenStore

    /// What this process knows about the service, for requests with the configuration's proxies and certificates.
    package let service: ServiceMemory

    /// - Throws: The errors of ``store(group:keys:maximumRecords:_:)``, and `.invalidParameter` for an unusable
    ///   emulator in the environment.
    package init(
        for configuration: MSALPublicClientApplicationConfig,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(AuthError) {
        let cache = configuration.cacheConfig
        let emulator = try EmulatorAddress(allowedIn: environment)
        let network = Self.network(configuration.connections(at: emulator, environment))
        service = network.service
        var platform = Self.platform(network.transport, environment: environment)
        platform.proofKeys = Self.proofKeys(group: cache.keychainSharingGroup, environment)
        self.platform = platform
        if let serialized = cache.serializedCache {
            store = serialized.store
            return
        }
        do throws(StoreError) {
            store = try Self.store(
                group: cache.keychainSharingGroup,
                keys: cache.storeProtection.choice,
                maximumRecords: cache.maximumStoredRecords,
                environment
            )
        } catch {
            throw AuthError(error)
        }
    }

    /// Network, browser, clock, and randomness of this machine.
    ///
    /// `caFile` is a PEM file with additional certificate authorities to trust.
    package static func platform(caFile: URL?, _ environment: [String: String]) -> Platform {
        let settings = HTTPSettings(caFile: caFile, environment: environment)
        return platform(network(settings).transport, environment: environment)
    }

    private static func platform(_ transport: any HTTPTransport, environment: [String: String]) -> Platform {
        let time = SystemTime()
        var platform = Platform(
            transport: transport,
            agent: SystemBrowserAgent(environment: environment, time: time),
            time: time,
            environment: environment
        )
        platform.broker = broker(environment)
        return platform
    }

    private static let brokers = Mutex<[[String]: BusBroker]>([:])
    /// A process normally has one session bus. If there are more than this, the table is cleared.
    private static let maximumBrokers = 16

    /// The broker for all applications of the process that use the same session bus, so that they share what is known
    /// about it.
    private static func broker(_ environment: [String: String]) -> BusBroker {
        // The bus, and the location for recording a hang of its broker.
        let bus = ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "MSAL_STORE_DIR", "XDG_STATE_HOME", "HOME"]
            .map { environment[$0] ?? "" }
        return brokers.withLock { brokers in
            if let known = brokers[bus] { return known }
            if brokers.count >= maximumBrokers { brokers.removeAll() }
            let broker = BusBroker(environment: environment, time: SystemTime()) {
                NotificationCenter.default.post(name: NSNotification.Name(MSALBrokerIsWaitedFor), object: nil)
            }
            brokers[bus] = broker
            return broker
        }
    }

    /// The transport to the service, and what is known about the service.
    private struct Network {
        let transport: any HTTPTransport
        let service = ServiceMemory()
    }

    private static let networks = Mutex<[(settings: HTTPSettings, network: Network)]>([])
    /// A process normally has one or two networks. If there are more than this, the list is cleared.
    private static let maximumNetworks = 16

    /// The network for these settings. All applications of the process that trust the same authorities and use the same
    /// proxies and retry policies share it, including its connections.
    private static func network(_ settings: HTTPSettings) -> Network {
        networks.withLock { networks in
            if let known = networks.first(where: { $0.settings == settings }) { return known.network }
            if networks.count >= maximumNetworks { networks.removeAll() }
            let network = Network(
                transport: RetryingTransport(
                    base: AsyncHTTPClientTransport(settings),
                    settings: { MSALGlobalConfig.httpConfig.snapshot(policy: settings.retries) },
                    time: SystemTime()
                )
            )
            networks.append((settings, network))
            return network
        }
    }

    /// The token store of a group; one in memory, with a warning, for a user without a home directory.
    ///
    /// `keys` determines the location of a new store's key; if the app leaves it open, `MSAL_STORE_KEY` decides.
    /// `maximumRecords` is the number of records above which the oldest access tokens are deleted.
    ///
    /// - Throws: `.invalidLocation` if the environment and the group do not determine a path; `.invalidKeyChoice` if
    ///   `MSAL_STORE_KEY` has an unknown value. Other failures are thrown when the store is first used.
    package static func store(
        group: String,
        keys: StoreKeyChoice = .automatic,
        maximumRecords: Int = MemoryStore.defaultCap,
        _ environment: [String: String]
    ) throws(StoreError) -> any TokenStore {
        let choice = try keys.resolved(environment)
        if choice == .memory { return MemoryStore(cap: maximumRecords) }
        let location: StoreLocation
        do throws(StoreError) {
            location = try StoreLocation(group: group, environment: environment)
        } catch {
            guard error.kind == .noHome else { throw error }
            Log.warning("Tokens are only kept in the memory of this process: \(error.message)")
            return MemoryStore(cap: maximumRecords)
        }
        let keySource = StoreKeys(choice, environment: environment)
        return BufferedStore(over: SQLiteStore(location: location, keys: keySource, cap: maximumRecords))
    }

    /// The key for proof-of-possession tokens, in a file next to the store of a group; in memory if the environment
    /// does not determine a directory for it.
    static func proofKeys(group: String, _ environment: [String: String]) -> any ProofKeys {
        // The store is in the same directory. Opening the store reports why there is none.
        guard let location = try? StoreLocation(group: group, environment: environment) else { return ProofKeyMemory() }
        return ProofKeyFile(directory: location.directory)
    }
}
