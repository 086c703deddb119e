// Licensed under the MIT License. See LICENSE.

import MSAL

/// A process of its own that uses a token store, for the tests: `StoreWorker JOB DIRECTORY ARGUMENTS…`.
@main
enum Main {
    static func main() {
        print("usage: StoreWorker JOB DIRECTORY ARGUMENTS…")
    }
}
