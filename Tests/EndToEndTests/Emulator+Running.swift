// Licensed under the MIT License. See LICENSE.

import EntraEmulator

extension Emulator {
    /// Starts an emulator, runs `story` and stops the emulator, whatever the result.
    static func with(
        _ adjust: (inout EmulatorConfiguration) -> Void = { _ in },
        story: (Emulator) async throws -> Void
    ) async throws {
        var settings = EmulatorConfiguration()
        settings.stateDirectory = EndToEndScenario.stateDirectory
        adjust(&settings)
        let emulator = try await Emulator.start(settings)
        do {
            try await story(emulator)
        } catch {
            try await emulator.shutdown()
            throw error
        }
        try await emulator.shutdown()
    }
}
