// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import EntraEmulator
import Foundation

/// The place of the emulator for which a subcommand prints settings or lines. The emulator need not run.
struct PlaceOptions: ParsableArguments {
    @Option(help: "The TLS port of the emulator.")
    var port = 8443

    @Option(help: ArgumentHelp("The name by which the client reaches it.", valueName: "name"))
    var host = "localhost"

    @Option(help: ArgumentHelp("The folder of its certificate authority.", valueName: "dir"))
    var state: String?

    func validate() throws {
        guard (1...65_535).contains(port) else {
            throw ValidationError("--port wants the number of a port, and not \(port).")
        }
        guard host.isHostName else {
            throw ValidationError("--host: '\(host)' is not a host name; write others than ASCII ones as xn--….")
        }
        guard let state else { return }
        guard !state.isEmpty else {
            throw ValidationError("--state wants the name of a folder, and what it was given is empty.")
        }
        // A shell could not read such a name back from a printed line.
        guard !state.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw ValidationError("the name of the folder for --state has control characters; choose another folder.")
        }
    }

    /// The address of the emulator.
    var base: URL {
        var components = URLComponents()
        (components.scheme, components.host, components.port) = ("https", host, port)
        // Components with a checked host and no path always make a URL.
        return components.url ?? URL(fileURLWithPath: "/")
    }

    /// The files by which clients trust it; missing ones are made.
    func trustFiles() throws -> TrustFiles {
        try TrustFiles(stateDirectory: state.map { URL(fileURLWithPath: $0) }, host: host)
    }
}
