// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import EntraEmulator
import Foundation

/// The location of the control API of a running emulator. Its token is only read from a file, because other programs
/// can read the arguments of a process.
struct ControlOptions: ParsableArguments {
    @Option(help: "The control port of the running emulator.")
    var controlPort = 8444

    @Option(help: ArgumentHelp("The file from which the running emulator reads its control token.", valueName: "file"))
    var controlTokenFile: String?

    @Option(help: ArgumentHelp("The state folder of the running emulator.", valueName: "dir"))
    var state: String?

    func validate() throws {
        guard (1...65_535).contains(controlPort) else {
            throw ValidationError("--control-port must be a port number, not \(controlPort).")
        }
        for (option, text) in [("--control-token-file", controlTokenFile), ("--state", state)]
        where text?.isEmpty == true {
            throw ValidationError("\(option) must not be empty.")
        }
    }

    /// The PEM file of the authority that issued the emulator's certificate.
    ///
    /// - Throws: `TrustFiles.Failure` if the folder cannot be used.
    func authority() throws -> URL {
        try TrustFiles(stateDirectory: state.map { URL(fileURLWithPath: $0) }).authority
    }

    /// A client of that control API.
    ///
    /// - Throws: `Emulator.StartFailure` if a file or folder cannot be used.
    func client() throws -> ControlClient {
        let state = state.map { URL(fileURLWithPath: $0) }
        return ControlClient(
            port: controlPort,
            token: try Emulator.controlToken(in: state, file: controlTokenFile.map { URL(fileURLWithPath: $0) }),
            authority: try authority()
        )
    }
}
