// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import MSAL

extension OutputOptions {
    /// Writes the result of a sign-in. If the tokens were not stored, the next command cannot use them. Then standard
    /// error says so, and a second attempt to store finds the reason. The command ends with the status `store`.
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
    /// Warns the user on standard error that renewed tokens could not be stored. This command has succeeded. But the
    /// next one is slower, or its refresh token has been used already. JSON has a member for this.
    func warn(
        isPersisted: Bool,
        on terminal: Terminal = .errors,
        cause: @autoclosure () async -> String? = await CacheTarget.refusal()
    ) async {
        guard self == .text, !isPersisted else { return }
        terminal.write(Failure.notRenewedForLong(await cause()).text(Style(terminal)))
    }
}
