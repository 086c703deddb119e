// Licensed under the MIT License. See LICENSE.

import DBus
import Synchronization

/// The emulated broker's name on the bus. When a fault makes the broker exit, another one takes over the name.
final class BrokerNameOwner: Sendable {
    private struct State {
        var service: BusService?
        var hasLeft = false
    }

    private let environment: [String: String]
    private let handler: BrokerCallHandler
    private let state = Mutex(State())

    init(_ environment: [String: String], handler: BrokerCallHandler) async throws {
        self.environment = environment
        self.handler = handler
        do throws(BusService.StartFailure) {
            try await start()
        } catch {
            switch error {
            case .nameTaken:
                throw BrokerStartFailure(
                    description: "another broker owns the name \(BrokerAddress.name) on this bus; use a private bus"
                )
            case .bus(let failure): throw BrokerStartFailure(description: failure.message)
            }
        }
    }

    /// Releases the name. Pending calls get no response.
    func leave() {
        let service = state.withLock { state in
            state.hasLeft = true
            defer { state.service = nil }
            return state.service
        }
        service?.stop()
    }

    private func start() async throws(BusService.StartFailure) {
        let service = try await BusService.start(environment, name: BrokerAddress.name) { [weak self] call in
            guard let self else { return .departure }
            let response = await handler.response(to: call)
            // No task awaits the next broker: a client asks the bus whether there is one.
            if response == .departure { Task { await self.replace() } }
            return response
        }
        let isLate = state.withLock { state in
            if !state.hasLeft { state.service = service }
            return state.hasLeft
        }
        if isLate { service.stop() }
    }

    private func replace() async {
        // The bus releases the name when it notices the end of the connection, which may take a moment.
        for _ in 0..<500 where !state.withLock({ $0.hasLeft }) {
            do throws(BusService.StartFailure) {
                return try await start()
            } catch {
                guard case .nameTaken = error else { return }
            }
            // This task is never canceled. If the sleep failed, the next attempt would only come sooner.
            try? await Task.sleep(for: .milliseconds(10))
        }
    }
}
