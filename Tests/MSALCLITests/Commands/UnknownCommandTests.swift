// Licensed under the MIT License. See LICENSE.

import Testing

@testable import MSALCLI

struct UnknownCommandTests {
    @Test(
        arguments: [
            ([], nil), (["token"], nil), (["help"], nil), (["help", "token"], nil), (["help", "cache", "path"], nil),
            (["cache"], nil), (["cache", "path"], nil), (["graph", "nope"], nil), (["--nope"], nil),
            (["-o", "nope"], nil),
            (["cache", "--help"], nil), (["cache", "import", "nope"], nil), (["help", "--help"], nil),
            (["nope"], "nope"), (["help", "nope"], "nope"), (["nope", "--help"], "nope"),
            (["cache", "nope"], "cache nope"),
            (["help", "cache", "nope", "-o", "json"], "cache nope"), (["help", "token", "nope"], "token nope"),
            ([""], ""),
        ] as [([String], String?)]
    )
    func `only a name that is not a command is found`(_ arguments: [String], _ name: String?) {
        #expect(UnknownCommand.first(in: arguments)?.name == name)
    }

    @Test(
        arguments: [
            (["tokne"], "token"), (["Token"], "token"), (["tken"], "token"), (["logi"], "login"), (["acc"], "account"),
            (["help", "grpah"], "graph"), (["cache", "stat"], "cache stats"), (["native", "signin"], "native sign-in"),
            (["stats"], "cache stats"), (["help", "rotate-key"], "cache rotate-key"), (["cache", "token"], "token"),
            (["log"], nil), (["nope"], nil), (["x"], nil), (["cache", "nope"], nil),
        ] as [([String], String?)]
    )
    func `a command with a similar name is suggested`(_ arguments: [String], _ suggestion: String?) throws {
        let unknown = try #require(UnknownCommand.first(in: arguments))

        #expect(unknown.suggestion == suggestion)
    }

    @Test func `the failure names the error, a suggestion and the help`() {
        let failure = UnknownCommand.first(in: ["cache", "stat"])?.failure

        #expect(failure?.status == .usage)
        #expect(failure?.message == "Unknown command 'cache stat'.")
        #expect(failure?.remedy == "Did you mean 'cache stats'? See: msal cache --help")
        #expect(UnknownCommand.first(in: ["nope"])?.failure.remedy == "See: msal --help")
    }
}
