// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALCore
import MSALSupport
private import Synchronization

/// Finds out whether the machine has a metadata service, once for the process (docs/reference/Services.md#probe).
package final class MetadataProbing: Sendable {
    private struct Memory {
        var isPresent = false
        var absentUntil: Duration?
    }

    private enum Question: Hashable, Sendable { case isPresent }
    private struct Cancellation: Error {}

    private let memory = Mutex(Memory())
    private let flights = SingleFlight<Question, Bool, Cancellation>(cancellation: Cancellation())

    package init() {}

    /// The one of the process.
    package static func of(_ environment: ServerEnvironment) -> MetadataProbing {
        environment.memory.part(MetadataProbing.self) { MetadataProbing() }
    }

    /// Whether a service is there.
    ///
    /// - Throws: `.cancelled`.
    package func isPresent(
        _ probe: MSALMetadataProbe,
        in environment: ServerEnvironment
    ) async throws(MSALTokenError) -> Bool {
        if let known = known(at: environment.time.uptime) { return known }
        do throws(Cancellation) {
            return try await flights.run(.isPresent) { [self] in
                // An equal question may have been answered between this caller's look and its turn.
                if let known = known(at: environment.time.uptime) { return .success(known) }
                guard let isPresent = await Self.ask(probe, in: environment) else { return .failure(Cancellation()) }
                let now = environment.time.uptime
                memory.withLock { memory in
                    memory.isPresent = isPresent
                    memory.absentUntil = isPresent ? nil : now + Self.absence
                }
                return .success(isPresent)
            }
        } catch {
            throw .cancellation
        }
    }

    private func known(at now: Duration) -> Bool? {
        memory.withLock { memory in
            if memory.isPresent { return true }
            guard let end = memory.absentUntil, now < end else { return nil }
            return false
        }
    }

    /// The time for which an absence is remembered. A network may come up late.
    private static let absence = Duration.seconds(60)

    /// `nil` after a cancellation.
    private static func ask(_ probe: MSALMetadataProbe, in environment: ServerEnvironment) async -> Bool? {
        if probe.readsAssetTag, isForeign(environment) { return false }
        let service = "http://169.254.169.254/metadata/identity/oauth2/token?api-version=2018-02-01"
        guard let address = HTTPAddress(service) else { return false }
        // Without the header that the service demands, it refuses at once. It gives no token to this question.
        var message = HTTPMessage(method: "GET", to: address)
        message.timeout = probe.timeout
        message.repetition = .never
        do throws(TransportError) {
            let response = try await environment.metadataTransport.send(message)
            // The proxy of a container's desktop answers for a service that is not there.
            let words = String(decoding: response.body.prefix(4096), as: UTF8.self).lowercased()
            return response.status != 403 || !words.contains("unreachable")
        } catch {
            return error.kind == .canceled ? nil : false
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
