// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import EntraEmulator
import Foundation

/// Where the control API of a running emulator is. Its token comes from a file alone, because other programs can read the
/// arguments of a process.
struct ControlOptions: ParsableArguments {
    @Option(help: "The control port of the running emulator.")
    var controlPort = 8444

    @Option(help: ArgumentHelp("Where the running emulator reads its control token.", valueName: "file"))
    var controlTokenFile: String?

    @Option(help: ArgumentHelp("The state folder of the running emulator.", valueName: "dir"))
    var state: String?

    func validate() throws {
        guard (1...65_535).contains(controlPort) else {
            throw ValidationError("--control-port wants the number of a port, and not \(controlPort).")
        }
        for (option, text) in [("--control-token-file", controlTokenFile), ("--state", state)]
        where text?.isEmpty == true {
            throw ValidationError("\(option) wants a name, and what it was given is empty.")
        }
    }

    /// The PEM file of the authority that issued the emulator's certificate.
    ///
    /// - Throws: `TrustFiles.Failure` for a folder that cannot be used.
    func authority() throws -> URL {
        try TrustFiles(stateDirectory: state.map { URL(fileURLWithPath: $0) }).authority
    }

    /// A client of that control API.
    ///
    /// - Throws: `Emulator.StartFailure` for a file or folder that cannot be used.
    func client() throws -> ControlClient {
        let state = state.map { URL(fileURLWithPath: $0) }
        return ControlClient(
            port: controlPort,
            token: try Emulator.controlToken(in: state, file: controlTokenFile.map { URL(fileURLWithPath: $0) }),
            authority: try authority()
        )
    }
}
