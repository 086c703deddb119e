// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import EntraEmulator

/// `entra-emulator health`: whether an emulator listens, for an image without a shell.
struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Say whether the emulator of a state folder listens on this machine: 0 if it does, else 1.",
        discussion: "A container's health check: HEALTHCHECK CMD [\"entra-emulator\", \"health\"]"
    )

    @OptionGroup var place: PlaceOptions

    func validate() throws {
        guard place.host == "localhost" else {
            throw ValidationError("health asks this machine only; leave --host out.")
        }
    }

    func run() async throws {
        do {
            let client = ControlClient(port: place.port, token: nil, authority: try place.trustFiles().authority)
            _ = try await client.get("/health")
            try Terminal.output.deliver(value: "ok")
        } catch is ControlClient.Failure {
            Terminal.errors.write(
                "entra-emulator: nothing with the certificate of this state folder listens on port \(place.port); start it, "
                    + "or name its --port and --state"
            )
            throw ExitCode.failure
        }
    }
}
