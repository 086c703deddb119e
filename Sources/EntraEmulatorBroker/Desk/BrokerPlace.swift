// Licensed under the MIT License. See LICENSE.

import DBus
import Synchronization

/// The double's place on the bus. When a fault lets the broker die, another one takes the name.
final class BrokerPlace: Sendable {
    private struct State {
        var service: BusService?
        var hasLeft = false
    }

    private let environment: [String: String]
    private let desk: BrokerDesk
    private let state = Mutex(State())

    init(_ environment: [String: String], desk: BrokerDesk) async throws {
        self.environment = environment
        self.desk = desk
        do throws(BusService.StartFailure) {
            try await start()
        } catch {
            switch error {
            case .nameTaken:
                throw BrokerStartFailure(
                    description: "another broker has the name \(BrokerAddress.name) on this bus; take a bus of its own"
                )
            case .bus(let failure): throw BrokerStartFailure(description: failure.message)
            }
        }
    }

    /// Gives the name up. Calls under way get no response.
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
            let response = await desk.response(to: call)
            // Nobody awaits the next broker: a client asks the bus whether one is there.
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
        // The bus frees the name when it sees the end of the connection, which may take it a moment.
        for _ in 0..<500 where !state.withLock({ $0.hasLeft }) {
            do throws(BusService.StartFailure) {
                return try await start()
            } catch {
                guard case .nameTaken = error else { return }
            }
            // Nobody cancels this task. If the sleep failed, the next try would only come sooner.
            try? await Task.sleep(for: .milliseconds(10))
        }
    }
}
