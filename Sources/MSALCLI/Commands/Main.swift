// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import MSAL
import UserFiles

/// The entry point. It parses the arguments, runs the command, and turns every error into a documented exit status.
@main enum Main {
    static func main() {
        occupyStandardStreams()
        if let fault = CommandLine.fault { ErrorReport(Failure.file(fault)).end(as: .text) }
        // Docker finds a helper by its program name.
        let isDockersHelper = CommandLine.arguments.first.map { ($0 as NSString).lastPathComponent } == Self.dockersName
        let arguments =
            (isDockersHelper ? ["docker-credential"] : []) + Array(CommandLine.arguments.dropFirst())
        // The threads for signals and timers need some file descriptors. Without them they would end the process.
        guard OpenFileLimit.leaves(8) else {
            ErrorReport(Failure.file(OpenFileLimit.remedy))
                .end(as: .requested(in: arguments))
        }
        if let call = TokenCall(plain: arguments) {
            CallingThread.run(whileIdle: WaitLine.ofCallingThread.turn) {
                await report(arguments) { try await call.run() }
            }
        } else if let command = MSALCommand.frequent(arguments) {
            CallingThread.run(whileIdle: WaitLine.ofCallingThread.turn) {
                var command = command
                await report(arguments) { try await command.run() }
            }
        } else {
            Task {
                await report(arguments) { try await MSALCommand.run(arguments) }
                exit(0)
            }
            // Signals such as Ctrl-C reach the thread that waits for them only if the first thread does not take them.
            dispatchMain()
        }
    }

    /// The program name with which the command is Docker's credential helper.
    private static let dockersName = "docker-credential-msal"

    /// Runs `work`. If it throws, the process ends with the error.
    private static func report(_ arguments: [String], work: () async throws -> Void) async {
        do {
            try CommandLog.begin()
            BrokerWait.begin()
            try await work()
        } catch {
            ErrorReport(error).end(as: .requested(in: arguments))
        }
    }

    /// Opens standard streams that are closed. Otherwise a file or socket could get the number of a stream and receive
    /// its output.
    private static func occupyStandardStreams() {
        var descriptor: Int32
        repeat { descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC) } while (0...STDERR_FILENO).contains(descriptor)
        close(descriptor)
    }
}

extension MSALCommand {
    /// Runs the command that the arguments name.
    ///
    /// - Throws: What the command throws, and what ``command(_:)`` does.
    fileprivate static func run(_ arguments: [String]) async throws {
        var command = try await command(arguments)
        if var command = command as? any AsyncParsableCommand {
            try await command.run()
        } else {
            try command.run()
        }
    }

    /// The command that the arguments name.
    ///
    /// - Throws: The parser's errors, which ``ErrorReport`` understands; `Failure`, if there is no such command.
    static func command(_ arguments: [String]) async throws -> any ParsableCommand {
        if let unknown = UnknownCommand.first(in: arguments) { throw unknown.failure }
        return try await asyncParseAsRoot(arguments)
    }

    /// The command, if scripts run it in a loop and its start needs to be fast; `nil` for all others.
    ///
    /// Parsing from the root builds all commands with their help. That takes longer than finding a token in the store.
    /// So such a command is parsed by itself first. If that fails, because of an error or a request for help,
    /// everything is parsed from the root, because only the root knows the command's full name.
    static func frequent(_ arguments: [String]) -> (any AsyncParsableCommand & Sendable)? {
        switch arguments.first {
        case "token": TokenCommand.parsedAlone(arguments)
        case "graph": GraphCommand.parsedAlone(arguments)
        case "git-credential": GitCredentialCommand.parsedAlone(arguments)
        case "docker-credential": DockerCredentialCommand.parsedAlone(arguments)
        case "kube-token": KubeTokenCommand.parsedAlone(arguments)
        default: nil
        }
    }
}

extension AsyncParsableCommand {
    /// This command, if the arguments after its name parse without an error.
    fileprivate static func parsedAlone(_ arguments: [String]) -> Self? {
        // Parsing from the root reports the error.
        return try? parseAsRoot(Array(arguments.dropFirst())) as? Self
    }
}

/// Writes one line while a command waits for an identity broker that does not respond.
enum BrokerWait {
    static let message = "Waiting for the identity broker, which has not responded yet…"

    /// Writes the line once, when the library posts its notification.
    static func begin() { began }

    private static let began: Void = {
        // The observer stays until the process ends.
        _ = NotificationCenter.default.addObserver(
            forName: NSNotification.Name(MSALBrokerIsWaitedFor),
            object: nil,
            queue: nil
        ) { _ in written }
    }()

    private static let written: Void = {
        // A line with a spinner may be on the screen.
        if Terminal.errors.isInteractive { Terminal.errors.clearLine() }
        Terminal.errors.write("\(message)")
    }()
}
