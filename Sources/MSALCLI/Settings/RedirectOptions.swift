// Licensed under the MIT License. See LICENSE.

import ArgumentParser

/// `--port` and `--redirect-uri`, for the commands that open a browser.
struct RedirectOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The local port for the redirect; any free port by default.",
            discussion: "For a service that compares ports, or a port that SSH forwards.",
            valueName: "number"
        )
    )
    var port: String?

    @Option(
        name: .customLong("redirect-uri"),
        help: ArgumentHelp(
            "The redirect URI, as in the app registration; http://localhost by default.",
            valueName: "uri"
        )
    )
    var redirectURI: String?
}

/// The user's choice of a redirect URI.
struct RedirectChoice: Equatable {
    /// The redirect URI that the app's registration needs, unless another one is chosen.
    static let defaultURI = "http://localhost"

    /// The redirect URI; the library decides which ones can be used.
    let uri: String

    /// The choice of a port or of a whole URI; `nil` if neither is given.
    ///
    /// - Parameters:
    ///   - port: A port of this machine.
    ///   - uri: A redirect URI.
    ///   - names: The names of the two settings, for messages.
    /// - Throws: `Failure` with the status `usage`, if both are given or the port is not valid.
    init?(port: String?, uri: String?, names: (port: String, uri: String)) throws(Failure) {
        switch (port, uri) {
        case (nil, nil):
            return nil
        case (nil, let uri?):
            self.uri = uri
        case (let port?, nil):
            guard port.allSatisfy(\.isASCII), let number = UInt16(port), number > 0 else {
                throw .usage(
                    "\(names.port) must be a port from 1 to 65535, not \(port).",
                    remedy: "Ports below 1024 usually need root. Try \(names.port) 8400."
                )
            }
            self.uri = "\(Self.defaultURI):\(number)"
        case (let port?, _?):
            throw .usage(
                "\(names.port) and \(names.uri) cannot be used together.",
                remedy: "Put the port into the URI, as in \(Self.defaultURI):\(port)/"
            )
        }
    }
}
