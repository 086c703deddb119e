// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
private import Synchronization

/// Whether a machine has a metadata service.
package enum MetadataPresence: Sendable, Hashable {
    case present
    /// No response from the service's address.
    case silent
    /// Something else responds at the service's address. The text has its status and its media type.
    case unexpectedResponder(String)
}

/// Finds out whether the machine has a metadata service, once for the process (docs/reference/Services.md#probe).
package final class MetadataProbing: Sendable {
    private struct Memory {
        var presence: MetadataPresence
        var end: Duration
    }

    private enum FlightKey: Hashable, Sendable { case presence }
    private struct Cancellation: Error {}

    private let memory = Mutex<Memory?>(nil)
    private let flights = SingleFlight<FlightKey, MetadataPresence, Cancellation>(cancellation: Cancellation())

    package init() {}

    /// The object that all callers of the process share.
    package static func of(_ environment: ServerEnvironment) -> MetadataProbing {
        environment.memory.part(MetadataProbing.self) { MetadataProbing() }
    }

    /// Whether a service responds.
    ///
    /// - Throws: `.cancelled`.
    package func presence(
        _ probe: MSALMetadataProbe,
        in environment: ServerEnvironment
    ) async throws(MSALTokenError) -> MetadataPresence {
        if let known = known(at: environment.time.uptime) { return known }
        do throws(Cancellation) {
            return try await flights.run(.presence) { [self] in
                // Another caller may have probed while this one waited for its turn.
                if let known = known(at: environment.time.uptime) { return .success(known) }
                guard let presence = await Self.ask(probe, in: environment) else { return .failure(Cancellation()) }
                memory.withLock { $0 = Memory(presence: presence, end: environment.time.uptime + Self.absence) }
                return .success(presence)
            }
        } catch {
            throw .cancellation
        }
    }

    private func known(at now: Duration) -> MetadataPresence? {
        memory.withLock { $0.flatMap { $0.presence == .present || now < $0.end ? $0.presence : nil } }
    }

    /// The time for which an absence is remembered. A network may come up late.
    private static let absence = Duration.seconds(60)

    /// `nil` after a cancellation.
    private static func ask(_ probe: MSALMetadataProbe, in environment: ServerEnvironment) async -> MetadataPresence? {
        if probe.readsAssetTag, isForeign(environment) { return .silent }
        let service = "http://169.254.169.254/metadata/identity/oauth2/token?api-version=2018-02-01"
        guard let address = HTTPAddress(service) else { return .silent }
        // This request lacks the header that the service demands. So the service refuses it at once, and gives no
        // token.
        var message = HTTPMessage(method: "GET", to: address)
        message.timeout = probe.timeout
        message.repetition = .never
        let endWait = CallTimer.begin(.network)
        defer { endWait() }
        do throws(TransportError) {
            let response = try await environment.metadataTransport.send(message)
            guard let unexpectedResponder = MetadataService.unexpectedResponder(in: response) else { return .present }
            Log.info("A service other than the metadata service responds at 169.254.169.254: \(unexpectedResponder).")
            return .unexpectedResponder(unexpectedResponder)
        } catch {
            switch error.kind {
            case .canceled: return nil
            case .badResponse, .responseTooLarge:
                return .unexpectedResponder("the response is not HTTP, or is too long")
            case .timedOut, .cannotFindHost, .cannotConnect, .connectionLost, .offline, .badURL,
                .untrustedCertificate, .wrongHostName, .certificateExpired, .certificateNotYetValid, .tlsHandshake:
                return .silent
            }
        }
    }

    /// Whether the machine's asset tag says that it is not Azure's.
    private static func isForeign(_ environment: ServerEnvironment) -> Bool {
        // A machine without a readable tag is asked.
        guard let assetTag = Self.assetTag, let tag = try? environment.files.contents(of: assetTag, limit: 4096) else {
            return false
        }
        return String(decoding: tag, as: UTF8.self).trimmed != azureTag
    }

    /// The file with the machine's asset tag; `nil` where the system shows it in none.
    #if os(Linux)
        package static let assetTag: String? = "/sys/class/dmi/id/chassis_asset_tag"
    #else
        package static let assetTag: String? = nil
    #endif

    private static let azureTag = "7783-7084-3265-9085-8269-3286-77"
}
