// Licensed under the MIT License. See LICENSE.

import ArgumentParser

/// `--group`, which every cache command has.
struct CacheOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The store's sharing group.", valueName: "name"))
    var group = Settings.applicationID
}
