// Licensed under the MIT License. See LICENSE.

import ArgumentParser

/// `--debug`, for the commands without ``ClientOptions``, which have it too. ``CommandLog`` looks for it by itself, before
/// anything is parsed.
struct LogOptions: ParsableArguments {
    @Flag(help: help)
    var debug = false

    static let help: ArgumentHelp = "Write log lines and requests to standard error. (MSAL_LOG names a level)"
}
