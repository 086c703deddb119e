// Licensed under the MIT License. See LICENSE.

import Foundation
import SocketStore

/// `StoreServer SOCKET`: a store that instances share, in a separate process. It runs until it is killed.
@main struct Main {
    static func main() async throws {
        try await SocketStoreServer().run(socket: CommandLine.arguments[1]) {
            // `print` would keep the line for a pipe until there is more.
            FileHandle.standardOutput.write(Data("ready\n".utf8))
        }
    }
}
