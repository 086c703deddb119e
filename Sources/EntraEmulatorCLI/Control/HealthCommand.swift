// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import EntraEmulator

/// `entra-emulator health`: checks whether an emulator is listening, for an image without a shell.
struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Check whether the emulator of a state folder is listening on this machine (status 0) or not (1).",
        discussion: "A container's health check: HEALTHCHECK CMD [\"entra-emulator\", \"health\"]"
    )

    @OptionGroup var place: EmulatorLocationOptions

    func validate() throws {
        guard place.host == "localhost" else {
            throw ValidationError("health only checks this machine; remove --host.")
        }
    }

    func run() async throws {
        do {
            let client = ControlClient(port: place.port, token: nil, authority: try place.trustFiles().authority)
            _ = try await client.get("/health")
            try Terminal.output.deliver(value: "ok")
        } catch is ControlClient.Failure {
            Terminal.errors.write(
                "entra-emulator: no emulator with the certificate of this state folder is listening on port "
                    + "\(place.port); start it, or pass its --port and --state"
            )
            throw ExitCode.failure
        }
    }
}
