// Licensed under the MIT License. See LICENSE.

import MSAL
import Testing

/// Facts about the machine from the environment and the file system.
struct SignInEnvironmentTests {
    private func signInEnvironment(
        _ environment: [String: String],
        files: Set<String> = [],
        terminals: Set<Int32> = []
    ) -> SignInEnvironment {
        SignInEnvironment(environment: environment, exists: files.contains, isTerminal: terminals.contains)
    }

    @Test func `an empty environment has no display, terminal or home directory`() {
        let nothing = signInEnvironment([:])

        #expect(!nothing.hasDisplay && !nothing.isRemoteLogin && !nothing.hasTerminal && !nothing.hasHome)
        #expect(nothing.container == nil && nothing.sandbox == nil && nothing.windowsSubsystem == nil)
        #expect(nothing.explanation == "no display, no terminal, no home directory")
        #expect(nothing.forwardingCommand(port: 8400) == nil)
    }

    struct Machine: Sendable {
        var environment: [String: String] = [:]
        var files: Set<String> = []
        var kind: String?
    }

    @Test(arguments: [
        Machine(environment: ["container": "podman"], kind: "podman"), Machine(files: ["/.dockerenv"], kind: "docker"),
        Machine(files: ["/run/.containerenv"], kind: "podman"),
        Machine(environment: ["KUBERNETES_SERVICE_HOST": "10.0.0.1"], kind: "Kubernetes"),
        Machine(environment: ["container": "bad\u{1B}name"], kind: nil),
    ])
    func `containers are recognized`(_ machine: Machine) {
        #expect(signInEnvironment(machine.environment, files: machine.files).container == machine.kind)
    }

    @Test func `sandboxes, Windows, CI builds and terminals are recognized`() {
        #expect(signInEnvironment(["FLATPAK_ID": "com.contoso.app"]).sandbox == "flatpak")
        #expect(signInEnvironment([:], files: ["/.flatpak-info"]).sandbox == "flatpak")
        #expect(signInEnvironment(["SNAP_INSTANCE_NAME": "contoso"]).sandbox == "snap")
        #expect(signInEnvironment(["WSL_DISTRO_NAME": "Debian"]).windowsSubsystem == "Debian")
        #expect(signInEnvironment(["CI": "true"]).isAutomatic && !signInEnvironment(["CI": "false"]).isAutomatic)
        #expect(signInEnvironment([:], terminals: [0, 2]).hasTerminal)
        #expect(!signInEnvironment([:], terminals: [0]).hasTerminal)
        #expect(signInEnvironment(["HOME": "/home/megan"], files: ["/home/megan"]).hasHome)
    }

    @Test(arguments: [
        ("198.51.100.7 50000 203.0.113.5 22", "megan", "ssh -N -L 8400:localhost:8400 megan@203.0.113.5"),
        ("2001:db8::7 50000 2001:db8::5 2222", "megan", "ssh -N -L 8400:localhost:8400 -p 2222 megan@2001:db8::5"),
        ("198.51.100.7 50000 203.0.113.5 22", "me;reboot", "ssh -N -L 8400:localhost:8400 203.0.113.5"),
        ("198.51.100.7 50000 203.0.113.5 22", "-oProxyCommand=x", "ssh -N -L 8400:localhost:8400 203.0.113.5"),
        ("198.51.100.7 50000 $(reboot) 22", "megan", nil), ("198.51.100.7 50000 203.0.113.5", "megan", nil),
        ("198.51.100.7 50000 203.0.113.5 99999", "megan", nil),
    ])
    func `a remote login has the command that forwards a port`(connection: String, user: String, line: String?) {
        let remote = signInEnvironment(["SSH_CONNECTION": connection, "USER": user])

        #expect(remote.isRemoteLogin)
        #expect(remote.forwardingCommand(port: 8400) == line)
    }
}
