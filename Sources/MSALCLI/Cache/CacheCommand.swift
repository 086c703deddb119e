// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import Foundation
import MSAL

/// `msal cache`
struct CacheCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "Inspect and maintain a token store.",
        discussion: """
            Without --group, these commands use the store of msal itself. Apps that use this library have their own \
            groups, msal.shared by default; msal cache list shows all groups.

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
