// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization

@testable import MSALServer

/// Programs whose outputs a test sets. A program without an output is not installed.
final class ScriptedCommands: ServerCommands {
    typealias Answer = @Sendable (ServerCommand) -> Result<CommandOutput, CommandError>

    private let answers: [String: Answer]
    private let runs = Mutex<[ServerCommand]>([])

    /// Outputs by the names of the programs.
    init(_ answers: [String: Answer] = [:]) {
        self.answers = answers
    }

    /// A program that always writes this text.
    convenience init(_ program: String, writes output: String, errors: String = "", status: Int32 = 0) {
        self.init([
            program: { _ in
                .success(CommandOutput(status: status, output: Data(output.utf8), errors: Data(errors.utf8)))
            }
        ])
    }

    /// All runs in order.
    var commands: [ServerCommand] { runs.withLock { $0 } }

    func run(_ command: ServerCommand) async throws(CommandError) -> CommandOutput {
        runs.withLock { $0.append(command) }
        guard let answer = answers[command.program] else { throw .missing }
        return try answer(command).get()
    }
}
