// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import EntraEmulator

/// `entra-emulator hosts`: prints lines for `/etc/hosts`. It changes no file, because users should review the lines
/// first.
struct HostsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hosts",
        abstract: "Print the lines for /etc/hosts that resolve the service's host names to the emulator.",
        discussion: "It changes no file. The lines start with a warning, and with instructions to undo the change."
    )

    @Option(help: ArgumentHelp("Add a name, such as contoso.ciamlogin.com; may be repeated.", valueName: "name"))
    var host: [String] = []

    func validate() throws {
        for name in host where !name.isHostName {
            throw ValidationError("'\(name)' is not a host name; use xn--… for non-ASCII names.")
        }
    }

    func run() throws {
        let names = Emulator.serviceNames + host
        let remarks = [
            "# With these lines, every program on this machine uses the emulator instead of Microsoft's service,",
            "# even for real sign-ins. They are meant for containers and dedicated machines.",
            "# Add them:    entra-emulator hosts | sudo tee -a /etc/hosts",
            "# Remove them: sudo sed -i '/# entra-emulator$/d' /etc/hosts",
            "# Start it:    sudo entra-emulator --port 443 --service-names, with the same --host options",
        ]
        let lines = remarks + ["127.0.0.1", "::1"].flatMap { address in names.map { "\(address) \($0)" } }
        try Terminal.output.deliver(value: lines.map { "\($0)  # entra-emulator" }.joined(separator: "\n"))
    }
}
