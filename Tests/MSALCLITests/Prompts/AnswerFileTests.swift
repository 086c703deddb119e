// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import MSAL
import TestSupport
import Testing

@testable import MSALBase
@testable import MSALCLI

struct AnswerFileTests {
    private func prompter(_ text: String) throws -> AnswerFilePrompter {
        AnswerFilePrompter(try AnswerFile(Data(text.utf8), name: "answers.json"))
    }

    private let delivery = CodeDelivery(sentTo: "m•••@contoso.example", channel: "email", length: 8)

    @Test(arguments: [
        ("[]", "not a JSON object"), ("{", "not a JSON object"), (#"{"pasword": "x"}"#, "pasword"),
        (#"{"code": 12345678}"#, "code"), (#"{"code": []}"#, "code"), (#"{"attributes": "x"}"#, "attributes"),
    ])
    func `an invalid answer sheet is a usage error that repeats nothing of it`(_ text: String, _ words: String) throws {
        let failure = try #require(throws: Failure.self) { try AnswerFile(Data(text.utf8), name: "answers.json") }

        #expect(failure.status == .usage)
        #expect(failure.message.contains(words))
        #expect(failure.remedy?.isEmpty == false)
        #expect(!failure.message.contains("12345678"))
    }

    @Test(arguments: ["\u{FEFF}", ""], ["\r\n", "\n"])
    func `a byte order mark and CR LF around the members are ignored`(mark: String, lineEnd: String) throws {
        let lines = ["{", #""password": "p ä\u200b\r\n","#, #""code": "1234""#, "}", ""]

        let sheet = try AnswerFile(Data((mark + lines.joined(separator: lineEnd)).utf8), name: "answers.json")

        #expect(sheet.passwords == [PrivateText("p ä\u{200B}")])
        #expect(sheet.codes == [PrivateText("1234")])
    }

    @Test func `answers are used in their order, and a missing one ends the command`() async throws {
        let prompter = try prompter(#"{"password": ["first", "second"], "code": "1234"}"#)

        let passwords = [try await prompter.password(of: "amy"), try await prompter.password(of: "amy")]
        let code = try await prompter.code(delivery)

        #expect(passwords == [PrivateText("first"), PrivateText("second")])
        #expect(code == .code(PrivateText("1234")))
        #expect(!prompter.canAskAgain(.code))
        let failure = await #expect(throws: Failure.self) { try await prompter.code(delivery) }
        #expect(failure?.status == .usage)
        #expect(failure?.message.contains("code") == true)
    }

    @Test func `a command prints the code, and receives the address to which it was sent`() async throws {
        let prompter = try prompter(
            #"{"code_command": ["sh", "-c", "echo \"$MSAL_CODE_CHANNEL:$MSAL_CODE_SENT_TO\"; echo more"]}"#
        )

        let answer = try await prompter.code(delivery)

        #expect(answer == .code(PrivateText("email:m•••@contoso.example")))
    }

    @Test(arguments: [#"["false"]"#, #"["true"]"#, #"["/nonexistent/program"]"#])
    func `a command that prints no code ends with a remedy`(_ command: String) async throws {
        let prompter = try prompter(#"{"code_command": \#(command)}"#)

        let failure = await #expect(throws: Failure.self) { try await prompter.code(delivery) }

        #expect(failure?.status == .usage)
        #expect(failure?.remedy?.isEmpty == false)
    }

    @Test(arguments: ["/nonexistent/program", "/etc/passwd"])
    func `a command that is not a program is distinguished from one that fails`(_ program: String) async throws {
        let failure = await #expect(throws: Failure.self) { try await CodeCommand([program]).run(delivery) }

        #expect(failure?.remedy?.hasSuffix("The first element must be a program.") == true)
    }

    @Test func `a command that the system cannot start is reported with the reason`() async throws {
        let tooLong = String(repeating: "x", count: 200_000)

        let failure = await #expect(throws: Failure.self) { try await CodeCommand(["true", tooLong]).run(delivery) }

        #expect(failure?.message == "code_command cannot be started: Argument list too long.")
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            "echo 1234; head -c 200000 /dev/zero",  // More than the capacity of a pipe.
            "echo 1234; exec >&-; :",
        ]
    )
    func `a command may print more than the code`(_ script: String) async throws {
        let answer = try await CodeCommand(["sh", "-c", script]).run(delivery)

        #expect(answer == PrivateText("1234"))
    }

    @Test(.timeLimit(.minutes(1))) func `canceling ends the command`() async throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let mark = directory.url.appending(path: "mark")
        let delivery = delivery
        let script =
            "trap 'echo > \(mark.path()).ended; exit' TERM; echo > \(mark.path()); while :; do sleep 0.01; done"
        let question = Task { try await CodeCommand(["sh", "-c", script]).run(delivery) }  // Awaited below.
        try await until(FileManager.default.fileExists(atPath: mark.path()))

        question.cancel()

        await #expect(throws: CancellationError.self) { try await question.value }
        try await until(FileManager.default.fileExists(atPath: mark.path() + ".ended"))
    }

    @Test func `attributes keep their type, and optional ones may be missing`() async throws {
        let prompter = try prompter(#"{"attributes": {"displayName": "Amy", "newsletter": true}}"#)
        func ask(_ name: String, required: Bool) async throws -> AnswerValue? {
            try await prompter.attribute(AttributePrompt(name: name, type: "string", isRequired: required))
        }

        let name = try await ask("displayName", required: true)
        let newsletter = try await ask("newsletter", required: false)
        let country = try await ask("country", required: false)

        #expect(name == .string("Amy"))
        #expect(newsletter == .bool(true))
        #expect(country == nil)
        await #expect(throws: Failure.self) { try await ask("postalCode", required: true) }
    }

    @Test func `a method is chosen by id, channel or address`() async throws {
        let methods = [
            MethodOption(id: "1", channel: "email", hint: "a•@contoso.example"),
            MethodOption(id: "2", channel: "sms", hint: "+1•••42"),
        ]
        let prompter = try prompter(#"{"method": ["SMS", "1", "+1•••42", "fax"]}"#)

        var choices: [Int] = []
        for _ in 0..<3 { choices.append(try await prompter.choice(of: methods, for: "")) }

        #expect(choices == [1, 0, 1])
        let failure = await #expect(throws: Failure.self) { try await prompter.choice(of: methods, for: "") }
        #expect(failure?.remedy?.contains("a•@contoso.example") == true)
    }

    @Test func `an answer sheet is not printed`() throws {
        let sheet = try AnswerFile(Data(#"{"password": "hunter2", "code": "9999"}"#.utf8), name: "answers.json")
        var dumped = ""
        dump(sheet, to: &dumped)

        #expect(!"\(sheet)\(dumped)".contains("hunter2"))
        #expect(!"\(sheet)\(dumped)".contains("9999"))
    }

    @Test(
        arguments: [
            ("boolean", "yes", AnswerValue.bool(true)), ("boolean", "false", .bool(false)), ("boolean", "perhaps", nil),
            ("integer", "42", .integer(42)), ("integer", "many", nil), ("string", "42", .string("42")),
        ] as [(String, String, AnswerValue?)]
    )
    func `typed text is converted to the service's type`(_ type: String, _ text: String, _ value: AnswerValue?) {
        #expect(AttributePrompt(name: "a", type: type, isRequired: true).value(text) == value)
    }
}
