// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import Foundation
import MSAL

/// `msal cache`
struct CacheCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "Look after a token store: where it is, what it holds, whether it is well.",
        discussion: """
            Without --group the store of this command is meant. Apps on this library have their own groups, \
            msal.shared by default; msal cache list has them all.

            EXAMPLES
              msal cache doctor
              msal cache import --azure-cli
              msal cache export tokens.json --group msal.shared
            """,
        subcommands: [
            CachePathCommand.self,
            CacheListCommand.self,
            CacheStatsCommand.self,
            CacheDoctorCommand.self,
            CacheImportCommand.self,
            CacheExportCommand.self,
            CacheClearCommand.self,
            CacheRotateKeyCommand.self,
            CacheRepairCommand.self,
        ]
    )
}
