// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import TestSupport
import Testing

/// `entra-emulator env` and `hosts`, read by the programs that they are for.
struct ClientSettingsTests {
    @Test(arguments: [
        "msal", "msal-python", "azure-identity", "node", "go", "curl", "az", "urlsession", "managed-identity",
        "github-actions", "azure-pipelines", "dotnet", "java", "spring", "ruby", "php", "apache",
    ])
    func `a shell can evaluate the lines for each client`(client: String) throws {
        // A name that a shell would take apart.
        let state = Bench.stateDirectory.appending(path: "it's $HOME; `id`").path
        let end = try Self.shell(
            #"eval "$("$EMULATOR" env --for "$0" --state "$1" --port 9443)" && printenv"#,
            [client, state]
        )

        let variables = Self.variables(end.text)
        #expect(end.status == 0, "\(end.text)")
        #expect(variables["ENTRA_EMULATOR_URL"] == "https://localhost:9443")
        #expect(variables["ENTRA_EMULATOR_AUTHORITY"] == "https://localhost:9443/contoso.example")
        #expect(variables["ENTRA_EMULATOR_CA_FILE"] == state + "/ca.pem")
    }

    @Test(arguments: ["curl", "urlsession", "node", "apache"])
    func `a line break in a path is not run as a command`(client: String) throws {
        let state = Bench.stateDirectory.appending(path: "state\necho INJECTED #").path
        let end = try Self.shell(#"eval "$("$EMULATOR" env --for "$0" --state "$1")""#, [client, state])

        // The folder is refused by its name, and the shell runs nothing of it.
        #expect(!end.text.split(separator: "\n").contains("INJECTED"))
        #expect(end.text.contains("choose another folder"))
    }

    @Test func `msal needs only its lines, which override its own settings`() throws {
        let end = try Self.shell(
            #"eval "$("$EMULATOR" env --for msal --state "$0")" && printenv"#,
            [Bench.stateDirectory.path]
        )

        let variables = Self.variables(end.text)
        #expect(variables["MSAL_CLIENT_ID"] == Seed().clientID)
        #expect(variables["MSAL_AUTHORITY"] == "https://localhost:8443/contoso.example")
        #expect(variables["MSAL_CA_FILE"] == variables["ENTRA_EMULATOR_CA_FILE"])
        #expect(variables["MSAL_CONFIG"]?.hasSuffix("/.config/entra-emulator/msal.yaml") == true)
        for name in ["MSAL_PROFILE", "MSAL_SCOPES", "MSAL_GRAPH_URL", "MSAL_REDIRECT_URI"] {
            #expect("\n\(end.text)".contains("\n\(name)=\n"), "\(name)")
        }
    }

    @Test func `a client in another container gets the name by which it reaches the emulator`() throws {
        let end = try Self.run(["env", "--for", "node", "--host", "emulator", "--state", Bench.stateDirectory.path])

        #expect(end.text.contains("ENTRA_EMULATOR_URL='https://emulator:8443'"))
        #expect(end.text.contains(#"knownAuthorities: ["emulator:8443"]"#))
    }

    @Test func `lines that a shell evaluates as one line work, too`() throws {
        let state = Bench.stateDirectory.path
        let end = try Self.shell(#"eval $("$EMULATOR" env --for node --state "$0") && printenv"#, [state])

        #expect(Self.variables(end.text)["NODE_EXTRA_CA_CERTS"] == state + "/ca.pem")
    }

    @Test func `the bundle has the system's authorities and the emulator's, and only this user can read it`() throws {
        let state = Bench.stateDirectory.appending(path: "bundle-\(UUID().uuidString)")
        let end = try Self.shell(#""$EMULATOR" env --for msal-python --state "$0""#, [state.path])

        let bundle = state.appending(path: "ca-bundle.pem")
        let text = try String(contentsOf: bundle, encoding: .utf8)
        let own = try String(contentsOf: state.appending(path: "ca.pem"), encoding: .utf8)
        let mode = try FileManager.default.attributesOfItem(atPath: bundle.path)[.posixPermissions] as? Int
        #expect(end.text.contains("export REQUESTS_CA_BUNDLE='\(bundle.path)'"))
        #expect(text.hasSuffix(own))
        #expect(mode == 0o600)
        if let system = try? String(contentsOfFile: "/etc/ssl/certs/ca-certificates.crt", encoding: .utf8) {
            #expect(text.hasPrefix(system))
        }
    }

    @Test func `the authority in the settings is the one that the emulator uses afterwards`() async throws {
        let state = try Bench.newState()
        _ = try Self.shell(#""$EMULATOR" env --for curl --state "$0""#, [state.path])
        let before = try String(contentsOf: state.appending(path: "ca.pem"), encoding: .utf8)

        // The bench's client trusts this file alone.
        try await Bench.run({ $0.stateDirectory = state }) { bench in
            let status = try await bench.get("/").status
            let after = try String(contentsOf: bench.emulator.certificateAuthorityFile, encoding: .utf8)
            #expect(status == 200)
            #expect(after == before)
        }
    }

    @Test(arguments: [
        (["--for", "ftp"], "msal-python"), (["--for", "go", "--port", "0"], "--port"), ([], "--for"),
        (["--for", "go", "--state", ""], "--state"), (["--for", "go", "--state", "a\u{1B}b"], "control characters"),
        (["--for", "go", "--tenant", "a/b"], "--tenant"), (["--for", "go", "--host", "a/b"], "not a host name"),
    ])
    func `a wrong option is a usage error that names it`(options: [String], expected: String) throws {
        let end = try Self.run(["env"] + options)

        #expect(end.status == 2)
        #expect(end.text.contains(expected), "\(end.text)")
    }

    @Test(arguments: ManagedIdentitySource.allCases)
    func `the variables of a host match the emulator's`(source: ManagedIdentitySource) async throws {
        let state = try Bench.newState()
        try await Machine.run({ $0.stateDirectory = state }) { machine in
            let port = machine.addresses.port
            let options = #"--for managed-identity --source "$0" --state "$1" --managed-identity-port "$2""#
            let end = try Self.shell(
                "eval \"$(\"$EMULATOR\" env \(options))\" && printenv",
                [source.rawValue, state.path, String(port)]
            )
            var expected = machine.addresses.environment(for: source)
            // For the command, Service Fabric is always at the next port.
            if source == .serviceFabric {
                expected["IDENTITY_ENDPOINT"] = "https://127.0.0.1:\(port + 1)/metadata/identity/oauth2/token"
            }
            let found = Self.variables(end.text)
            #expect(end.status == 0, "\(end.text)")
            for (name, value) in expected { #expect(found[name] == value, "\(name)") }
        }
    }

    @Test func `a state folder that cannot be used is named`() throws {
        let end = try Self.run(["env", "--for", "go", "--state", "/dev/null/state"])

        #expect(end.status == 1)
        #expect(end.text.contains("/dev/null/state"))
    }

    @Test func `hosts lines map the service's names to this machine, and can be removed`() throws {
        let end = try Self.run(["hosts", "--host", "contoso.ciamlogin.com"])
        let lines = end.text.split(separator: "\n").map(String.init)

        for name in ["login.microsoftonline.com", "graph.microsoft.com", "graph.microsoft.us", "contoso.ciamlogin.com"]
        {
            #expect(lines.contains("127.0.0.1 \(name)  # entra-emulator"))
            #expect(lines.contains("::1 \(name)  # entra-emulator"))
        }
        #expect(lines.allSatisfy { $0.hasSuffix("# entra-emulator") })
        #expect(lines.first?.hasPrefix("# With these lines, every program") == true)
        #expect(!end.text.contains("localhost") && !end.text.contains("*"))
    }

    @Test func `a name that is invalid in a hosts file is rejected`() throws {
        #expect(try Self.run(["hosts", "--host", "a b"]).status == 2)
    }

    @Test(arguments: [
        (["ftp://a.example"], 2, "https://"), (["--browser", "lynx"], 2, "firefox"),
        ([], 1, "set DISPLAY or WAYLAND_DISPLAY"),
    ])
    func `a browser that cannot be opened is an error`(options: [String], status: Int32, expected: String) throws {
        let end = try Self.run(["browse"] + options)

        #expect(end.status == status)
        #expect(end.text.contains(expected), "\(end.text)")
    }

    private static var emulator: URL? {
        Bundle.main.executableURL?.deletingLastPathComponent().appending(path: "entra-emulator")
    }

    private static func run(_ arguments: [String]) throws -> (status: Int32, text: String) {
        try shell(#"exec "$EMULATOR" "$@""#, ["sh"] + arguments)
    }

    private static func shell(_ script: String, _ arguments: [String]) throws -> (status: Int32, text: String) {
        let environment = [
            "EMULATOR": try #require(emulator).path, "PATH": "/usr/bin:/bin", "HOME": Bench.stateDirectory.path,
            "COLUMNS": "200",
        ]
        return try StartedProgram("/bin/sh", ["-c", script] + arguments, environment: environment).end()
    }

    private static func variables(_ text: String) -> [String: String] {
        let pairs = text.split(separator: "\n").compactMap { line -> (String, String)? in
            let parts = line.split(separator: "=", maxSplits: 1)
            return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
        }
        return Dictionary(pairs) { $1 }
    }
}
