// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
private import Synchronization

/// Finds the region of the machine, once in a process (docs/reference/Services.md#region-detection).
package struct RegionDiscovery: Sendable {
    private let environment: ServerEnvironment

    package init(environment: ServerEnvironment) { self.environment = environment }

    /// The region that a setting means. It is `nil` for the cloud's own hosts.
    ///
    /// - Throws: `.cancelled` alone. A machine without a region is not an error.
    package func region(for setting: MSALRegion) async throws(MSALTokenError) -> RegionName? {
        switch setting.resolved(in: environment) {
        case .none, .disabled: return nil
        case .named(let text):
            let name = RegionName(text)
            if name == nil {
                Log.warning("The name of a region has invalid characters. The global endpoint is used instead.")
            }
            return name
        case .autoDetect: return try await detected()
        }
    }

    private func detected() async throws(MSALTokenError) -> RegionName? {
        let memory = environment.memory.part(Memory.self) { Memory() }
        if let known = memory.outcome.withLock({ $0 }) { return known.name }
        return try await memory.flights.run(Memory.FlightKey()) { [self] in
            if let known = memory.outcome.withLock({ $0 }) { return .success(known.name) }
            let name = await ask()
            // A canceled search says nothing about the machine, so its outcome is not kept.
            guard !Task.isCancelled else { return .failure(.cancellation) }
            memory.outcome.withLock { $0 = Memory.Outcome(name: name) }
            return .success(name)
        }
    }

    private func ask() async -> RegionName? {
        if let name = environment.variable("REGION_NAME").flatMap(RegionName.init) { return name }
        var version = "2021-02-01"
        var response = await send(version)
        switch response?.status {
        case 400:
            // The service does not support this version, and lists those that it supports.
            guard let newest = response.flatMap(Self.newestVersion) else { break }
            version = newest
            response = await send(version)
        case 410, 429, .some(500...599):
            response = await send(version)
        default: break
        }
        guard let response, response.status == 200 else {
            Log.info("The metadata service returned no region. The global endpoint is used.")
            return nil
        }
        return JSONValue(parsing: response.body)?.object?["location"]?.string.flatMap(RegionName.init)
    }

    private func send(_ version: String) async -> HTTPResponse? {
        let service = "http://169.254.169.254/metadata/instance/compute?api-version=\(version)"
        guard let address = HTTPAddress(service) else { return nil }
        var message = HTTPMessage(method: "GET", to: address, headers: ["Metadata": "true"])
        message.timeout = .seconds(2)
        let endWait = CallTimer.begin(.network)
        defer { endWait() }
        do {
            return try await environment.metadataTransport.send(message)
        } catch {
            Log.verbose("The metadata service did not respond: \(error.message)")
            return nil
        }
    }

    private static func newestVersion(_ response: HTTPResponse) -> String? {
        let versions = JSONValue(parsing: response.body)?.object?["newest-versions"]?.array ?? []
        // Versions are dates, so the greatest text is the newest.
        return versions.compactMap(\.string).filter { version in
            !version.isEmpty && version.utf8.allSatisfy { $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) }
        }.max()
    }

    /// The region of this process, as it was found, and the search that runs.
    private final class Memory: Sendable {
        struct FlightKey: Hashable, Sendable {}

        struct Outcome: Sendable {
            let name: RegionName?
        }

        let outcome = Mutex<Outcome?>(nil)
        let flights = SingleFlight<FlightKey, RegionName?, MSALTokenError>(cancellation: .cancellation)
    }
}
