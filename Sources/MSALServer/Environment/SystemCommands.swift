// Licensed under the MIT License. See LICENSE.

private import Foundation
private import MSALBase

#if canImport(Glibc)
    private import Glibc
#elseif canImport(Musl)
    private import Musl
#else
    private import Darwin
#endif

/// The programs of this machine. Each runs without a shell, without input, and in the folder `/`.
package struct SystemCommands: ServerCommands {
    package init() {}

    package func run(_ command: ServerCommand) async throws(CommandError) -> CommandOutput {
        guard let program = ChildProcess.executable(command.program, in: command.variables) else { throw .missing }
        guard let bell = CommandWakeup() else { throw .notStarted("too many files are open") }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Reading blocks, so a thread of its own does it. The thread ends when the program has ended.
                Thread.detachNewThread { continuation.resume(returning: Self.run(command, at: program, until: bell)) }
            }
        } onCancel: {
            bell.ring(.cancelled)
        }
        return try result.get()
    }

    private static func run(
        _ command: ServerCommand,
        at program: String,
        until bell: CommandWakeup
    ) -> Result<CommandOutput, CommandError> {
        guard let output = CommandPipe(), let errors = CommandPipe(),
            let null = FileHandle(forUpdatingAtPath: "/dev/null")
        else {
            return .failure(.notStarted("too many files are open"))
        }
        let child: ChildProcess
        do {
            child = try ChildProcess(
                program,
                arguments: command.arguments,
                environment: command.variables,
                folder: "/",
                streams: .init(input: null.fileDescriptor, output: output.writer, errors: errors.writer)
            )
        } catch {
            // The program exists, but `ENOENT` says that its interpreter is missing. The program then counts as
            // missing.
            return .failure(error.number == ENOENT ? .missing : .notStarted(error.description))
        }
        output.closeWriter()
        errors.closeWriter()
        Thread.detachNewThread {
            child.waitWithoutReaping()
            bell.ring(.ended)
        }
        let reading = CommandReading(output: output.reader, errors: errors.reader, limit: command.outputLimit)
        let fault = reading.read(until: bell, limit: command.limit)
        if fault != nil { child.endGroup(bell: bell) }
        // Nothing else waits for the program. So until here no other process can get its number, or the number of its
        // group.
        let status = child.wait()
        if let fault { return .failure(fault) }
        return .success(CommandOutput(status: status, output: reading.output, errors: reading.errors))
    }
}

extension ChildProcess {
    /// Waits for the end of the process, but does not reap it. So no other process can get its number yet.
    fileprivate func waitWithoutReaping() {
        var information = siginfo_t()
        while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    }

    /// Ends the process and all that it started. They have a second between `SIGTERM` and `SIGKILL` to put their files
    /// in order.
    fileprivate func endGroup(bell: CommandWakeup) {
        kill(-id, SIGTERM)
        bell.waitForEnd(limit: .seconds(1))
        kill(-id, SIGKILL)
    }
}
