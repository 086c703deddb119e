// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput

/// `--group`, `--no-input` and `--debug`, which every cache command has.
struct CacheOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The store's sharing group.", valueName: "name"))
    var group = Settings.applicationID

    @OptionGroup var input: InputOptions
    @OptionGroup var log: LogOptions

    /// Whether the desktop may ask for a keyring's password: only a person can give it.
    var mayAskToUnlock: Bool { !input.noInput && Terminal.errors.isInteractive }
}
