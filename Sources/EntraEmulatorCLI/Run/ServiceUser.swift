// Licensed under the MIT License. See LICENSE.

import BrowserProfiles
import Foundation

/// The user as a program sees it in `run --as-service`: new folders, no session bus, no proxy.
struct ServiceUser {
    /// The environment of the program.
    private(set) var environment: [String: String]
    /// The sockets of the user's session buses, which are to be hidden.
    let sessionBuses: [String]

    /// Variables that would lead to the network outside, or to an emulator there.
    private static let removed: Set<String> = [
        "DBUS_SESSION_BUS_ADDRESS", "MSAL_EMULATOR", "MSAL_EMULATOR_CA", "MSAL_CA_FILE", "HTTP_PROXY", "HTTPS_PROXY",
        "ALL_PROXY",
    ]

    /// Creates the folders.
    ///
    /// - Parameters:
    ///   - own: The environment of the user.
    ///   - folder: The folder of the run.
    ///   - keepsHome: Whether `HOME` is kept.
    /// - Throws: The system's error, if the folder of the run cannot be used.
    init(from own: [String: String], in folder: RunFolder, keepsHome: Bool) throws {
        environment = own.filter { !Self.removed.contains($0.key.uppercased()) }
        let runtime = own["XDG_RUNTIME_DIR"] ?? "/run/user/\(getuid())"
        sessionBuses = Self.sockets(own["DBUS_SESSION_BUS_ADDRESS"] ?? "") + ["\(runtime)/bus"]
        let home = try folder.makeFolder("home")
        if !keepsHome { environment["HOME"] = home }
        for name in ["CONFIG_HOME", "DATA_HOME", "STATE_HOME", "CACHE_HOME", "RUNTIME_DIR"] {
            environment["XDG_\(name)"] = try folder.makeFolder("xdg-\(name.lowercased())")
        }
        environment["MSAL_STORE_DIR"] = try folder.makeFolder("msal")
        environment["MSAL_STORE_KEY"] = "key-file"
        environment["MSAL_CONFIG"] = folder.path("config.yaml")
        environment["AZURE_CONFIG_DIR"] = try folder.makeFolder("azure")
        // The display stays the same, but its name is relative to a folder that has changed.
        if let display = own["WAYLAND_DISPLAY"], !display.isEmpty, !display.hasPrefix("/") {
            environment["WAYLAND_DISPLAY"] = "\(runtime)/\(display)"
        }
        if own["DISPLAY"] != nil, own["XAUTHORITY"] == nil, let home = own["HOME"] {
            environment["XAUTHORITY"] = "\(home)/.Xauthority"
        }
    }

    /// Adds variables.
    mutating func add(_ variables: [String: String]) { environment.merge(variables) { $1 } }

    /// Adds the variables for programs that do not read the system's file of authorities.
    mutating func trust(bundle: String, authority: String) {
        add(["REQUESTS_CA_BUNDLE": bundle, "SSL_CERT_FILE": bundle, "NODE_EXTRA_CA_CERTS": authority])
        for name in ["CURL_CA_BUNDLE", "AWS_CA_BUNDLE", "GIT_SSL_CAINFO"] where environment[name] != nil {
            environment[name] = bundle
        }
    }

    /// Makes Chromium, if it is installed, trust the authority. certutil adds it in the home folder, where Chromium
    /// looks for it.
    ///
    /// - Throws: If certutil fails.
    func trustInChromium(_ authority: URL) async throws {
        guard BrowserProgram.first(.chromium, in: environment) != nil,
            AuthorityDatabase.canBeMade(in: environment), let home = environment["HOME"]
        else { return }
        let folder = URL(filePath: home).appending(path: AuthorityDatabase.chromium)
        try await AuthorityDatabase.make(at: folder, trusting: authority, environment: environment)
    }

    /// The paths in a D-Bus address, such as `unix:path=/run/user/1000/bus,guid=…`.
    static func sockets(_ address: String) -> [String] {
        address.split(separator: ";").flatMap { $0.split { $0 == ":" || $0 == "," } }
            .compactMap { $0.hasPrefix("path=") ? $0.dropFirst("path=".count).removingPercentEncoding : nil }
    }
}
