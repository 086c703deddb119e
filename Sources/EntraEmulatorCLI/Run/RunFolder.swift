// Licensed under the MIT License. See LICENSE.

import EntraEmulatorTesting
import Foundation

/// The private folder of a run. It is deleted at the end, with all tokens in it.
struct RunFolder {
    let url: URL

    /// - Throws: The system's error, if the temporary folder cannot be used. Its `sentence` names the folder.
    init() throws {
        url = BrowserCommands.place(FileManager.default.temporaryDirectory).appending(
            path: "entra-emulator-run-\(UUID().uuidString.prefix(8))"
        )
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false, attributes: Self.rights)
    }

    private static var rights: [FileAttributeKey: Any] { [.posixPermissions: 0o700] }

    /// The path of a file or a folder in it.
    func path(_ name: String) -> String { url.appending(path: name).path(percentEncoded: false) }

    /// Creates a folder in it, and returns its path.
    func makeFolder(_ name: String) throws -> String {
        let path = path(name)
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: false,
            attributes: Self.rights
        )
        return path
    }

    /// Deletes it.
    func remove() {
        try? FileManager.default.removeItem(at: url)  // No other user can read remaining files.
    }
}
