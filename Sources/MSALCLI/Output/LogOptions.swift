// Licensed under the MIT License. See LICENSE.

import ArgumentParser

/// `--debug`, for the commands without ``ClientOptions``. ``CommandLog`` looks for the flag itself, before the
/// arguments are parsed.
struct LogOptions: ParsableArguments {
    @Flag(help: help)
    var debug = false

    static let help: ArgumentHelp = "Write log lines and requests to standard error. (MSAL_LOG sets the level)"
}
