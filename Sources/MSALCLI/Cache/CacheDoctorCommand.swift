// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import MSAL

/// `msal cache doctor`
struct CacheDoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check the store: place, rights, file system, key, contents, recoveries.",
        usage: "msal cache doctor [options]",
        discussion: """
            Says what is wrong, why it matters and what to do. Nothing is changed; no token or name is shown. The exit \
            status is that of the first check that failed.

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
