// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import EntraEmulator
import Foundation

/// The location of the emulator for which a subcommand prints settings or lines. The emulator does not have to run.
struct EmulatorLocationOptions: ParsableArguments {
    @Option(help: "The TLS port of the emulator.")
    var port = 8443

    @Option(help: ArgumentHelp("The host name that the client uses.", valueName: "name"))
    var host = "localhost"

    @Option(help: ArgumentHelp("The folder of its certificate authority.", valueName: "dir"))
    var state: String?

    func validate() throws {
        guard (1...65_535).contains(port) else { throw ValidationError("--port must be a port number, not \(port).") }
        guard host.isHostName else {
            throw ValidationError("--host: '\(host)' is not a host name; use xn--… for non-ASCII names.")
        }
        guard let state else { return }
        guard !state.isEmpty else { throw ValidationError("--state must not be empty.") }
        // A shell could not read such a name from a printed line.
        guard !state.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw ValidationError("The name of the --state folder contains control characters; choose another folder.")
        }
    }

    /// The address of the emulator.
    var base: URL {
        var components = URLComponents()
        (components.scheme, components.host, components.port) = ("https", host, port)
        // Components with a validated host and no path are always a valid URL.
        return components.url ?? URL(fileURLWithPath: "/")
    }

    /// The files with which clients trust it; missing ones are created.
    func trustFiles() throws -> TrustFiles {
        try TrustFiles(stateDirectory: state.map { URL(fileURLWithPath: $0) }, host: host)
    }
}
