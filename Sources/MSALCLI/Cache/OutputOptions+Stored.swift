// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import MSAL

extension OutputOptions {
    /// Writes the result of a sign-in. If the tokens were not stored, the next command cannot use them. Standard error
    /// then says so, with the cause that a second attempt finds, and the command ends with the status `store`.
    ///
    /// - Throws: `Failure` as `show(_:)`; `ExitCode`, if the tokens could not be stored.
    func show(
        _ report: some Report,
        isPersisted: Bool,
        cause: @autoclosure () async -> String? = await CacheTarget.refusal()
    ) async throws {
        try show(report)
        guard !isPersisted else { return }
        let failure = Failure.notStored(await cause())
        Terminal.errors.write(failure.text(Style(Terminal.errors)))
        throw ExitCode(failure.status.rawValue)
    }
}

extension OutputFormat {
    /// Warns people, on standard error, of renewed tokens that could not be stored. The command has succeeded, but the
    /// next one will be slower, or will find a refresh token that is spent. JSON has a member for it.
    func warn(
        isPersisted: Bool,
        on terminal: Terminal = .errors,
        cause: @autoclosure () async -> String? = await CacheTarget.refusal()
    ) async {
        guard self == .text, !isPersisted else { return }
        terminal.write(Failure.notRenewedForLong(await cause()).text(Style(terminal)))
    }
}
