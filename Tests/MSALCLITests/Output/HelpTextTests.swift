// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import Foundation
import Testing

@testable import MSALCLI

struct HelpTextTests {
    @Test(
        arguments: [
            MSALCommand.self, LoginCommand.self, TokenCommand.self, GraphCommand.self, AccountCommand.self,
            AccountSetCommand.self, ConfigSetCommand.self, DoctorCommand.self, RedirectRegisterCommand.self,
        ] as [any ParsableCommand.Type]
    )
    func `help fits into forty columns, except for text to copy`(command: any ParsableCommand.Type) {
        let help = MSALCommand.helpMessage(for: command, columns: HelpText.unbroken)

        let lines = HelpText.fitted(help, width: 40).split(separator: "\n").map(String.init)
        let long = lines.filter { $0.count > 40 }

        let copied = ["msal ", "0000-", "https://"]
        #expect(long.allSatisfy { line in line.hasPrefix("  ") && copied.contains { line.contains($0) } }, "\(long)")
    }

    /// A line that the terminal breaks loses its indentation, so an example cannot be copied.
    @Test(arguments: HelpTextTests.commands(below: MSALCommand.self))
    func `help fits into eighty columns, including examples`(command: any ParsableCommand.Type) throws {
        let unbroken = MSALCommand.helpMessage(for: command, columns: HelpText.unbroken)
        let parsers = MSALCommand.helpMessage(for: command, columns: HelpText.usual)

        let help = HelpText.fitted(unbroken, parsers: parsers, width: HelpText.usual)

        #expect(help.split(separator: "\n").filter { $0.count > HelpText.usual } == [])
        // Examples are unchanged, and the list of options is the parser's.
        let text = command.configuration.discussion
        for line in text.split(separator: "\n") where line.hasPrefix("  msal ") { #expect(help.contains(line)) }
        #expect(help.hasSuffix(try #require(parsers.components(separatedBy: "\n\nUSAGE: ").last)))
    }

    @Test(arguments: [TokenCommand.self, GraphCommand.self] as [any ParsableCommand.Type])
    func `help distinguishes an application with a token from the app of users`(command: any ParsableCommand.Type) {
        let help = MSALCommand.helpMessage(for: command, columns: HelpText.unbroken)

        #expect(help.contains("The client ID of an application, to get its own token."))
        #expect(help.contains("--client-id is the app that users sign in with."))
    }

    private static func commands(below command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        [command] + command.configuration.subcommands.flatMap(commands)
    }

    @Test func `the pointer to more help is a sentence, not an example`() {
        let help =
            "  msal native token --scope api://a1.example/x\n\n  See 'msal help native <subcommand>' for detailed help."

        #expect(
            HelpText.fitted(help, width: 40)
                == "  msal native token --scope api://a1.example/x\n\n  See 'msal help native <subcommand>'\n"
                + "  for detailed help."
        )
    }

    @Test func `a description is below its name, and every word is kept`() {
        let help = "OPTIONS:\n  --known-authority <url> Taken as it is, unasked.\n        paste: a browser elsewhere"

        #expect(
            HelpText.fitted(help, width: 30) == """
                OPTIONS:
                  --known-authority <url>
                      Taken as it is, unasked.
                      paste: a browser
                      elsewhere
                """
        )
    }
}
