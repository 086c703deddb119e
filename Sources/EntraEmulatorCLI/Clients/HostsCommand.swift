// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import EntraEmulator

/// `entra-emulator hosts`: prints lines for `/etc/hosts`. It changes no file, because users should see the lines first.
struct HostsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hosts",
        abstract: "Print the lines of /etc/hosts that lead the service's own names to the emulator.",
        discussion: "It changes nothing. The lines begin with a warning, and with how to take them back."
    )

    @Option(help: ArgumentHelp("Add a name, such as contoso.ciamlogin.com; may be repeated.", valueName: "name"))
    var host: [String] = []

    func validate() throws {
        for name in host where !name.isHostName {
            throw ValidationError("'\(name)' is not a host name; write others than ASCII ones as xn--….")
        }
    }

    func run() throws {
        let names = Emulator.serviceNames + host
        let remarks = [
            "# With these lines, every program of this machine reaches the emulator in place of Microsoft's service,",
            "# real sign-ins included. They are for containers and machines that do nothing else.",
            "# Add them:   entra-emulator hosts | sudo tee -a /etc/hosts",
            "# Undo that:  sudo sed -i '/# entra-emulator$/d' /etc/hosts",
            "# Start it:   sudo entra-emulator --port 443 --service-names (--host adds a name there, too)",
        ]
        let lines = remarks + ["127.0.0.1", "::1"].flatMap { address in names.map { "\(address) \($0)" } }
        try Terminal.output.deliver(value: lines.map { "\($0)  # entra-emulator" }.joined(separator: "\n"))
    }
}
