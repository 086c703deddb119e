// Licensed under the MIT License. See LICENSE.

package import Foundation

/// Runs other programs. Tests substitute their own results.
package protocol ServerCommands: Sendable {
    /// Runs a program to its end (docs/reference/Services.md#child-processes).
    ///
    /// - Throws: `CommandError` if it could not be started, or was ended early.
    func run(_ command: ServerCommand) async throws(CommandError) -> CommandOutput
}

/// A program, its arguments and its environment, for one run.
package struct ServerCommand: Sendable, Hashable {
    /// The name of the program, which is looked for in `PATH`.
    package var program: String
    package var arguments: [String]
    /// All variables that the program gets.
    package var variables: [String: String]
    /// The time after which it is ended.
    package var limit: Duration
    /// The bytes of its output after which it is ended.
    package var outputLimit: Int

    package init(
        _ program: String,
        arguments: [String],
        variables: [String: String],
        limit: Duration = .seconds(30),
        outputLimit: Int = 1_048_576
    ) {
        self.program = program
        self.arguments = arguments
        self.variables = variables
        self.limit = limit
        self.outputLimit = outputLimit
    }
}

/// The output of a program. The description leaves it out, because there may be a token in it.
package struct CommandOutput: Sendable, CustomStringConvertible, CustomReflectable {
    /// The exit status, or the number of the signal that ended it.
    package var status: Int32
    package var output = Data()
    /// The first bytes of its error output.
    package var errors = Data()

    package var description: String { "CommandOutput(status \(status), \(output.count) bytes)" }
    package var customMirror: Mirror { Mirror(self, children: ["status": status]) }
}

/// The reason for which a program gave no output.
package enum CommandError: Error, Sendable, Hashable {
    /// No folder of `PATH` has the program.
    case missing
    /// The system does not start it. The text has the system's reason.
    case notStarted(String)
    /// The program was ended, because its time was over.
    case timeout
    /// The program was ended, because it wrote too much.
    case tooMuchOutput
    /// The program was terminated because the calling task was canceled.
    case cancelled
}
