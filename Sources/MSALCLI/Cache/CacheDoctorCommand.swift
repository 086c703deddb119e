// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import MSAL

/// `msal cache doctor`
struct CacheDoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check the store: location, permissions, file system, key, contents and repairs.",
        usage: "msal cache doctor [options]",
        discussion: """
            Explains what is wrong, why it matters and how to fix it. Nothing is changed, and no token or name is \
            shown. The exit status is that of the first failed check.

            EXAMPLES
              msal cache doctor
              msal cache doctor --group msal.shared --output json
            """
    )

    @OptionGroup var cache: CacheOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let checks = await CacheCheckup(try CacheTarget(group: cache.group).store).checks
        try output.show(DoctorReport(checks: checks))
        if let failed = checks.first(where: { !$0.isGood }) { throw ExitCode(failed.status.rawValue) }
    }
}
