// Licensed under the MIT License. See LICENSE.

package import Foundation
import MSALBase

/// The NSS database from which Chromium and Firefox read additional certificate authorities. certutil creates it.
package enum AuthorityDatabase {
    /// The location of Chromium's database, relative to the home folder.
    package static let chromium = ".pki/nssdb"

    /// Whether certutil is installed.
    package static func canBeMade(in environment: [String: String]) -> Bool {
        ["certutil"].firstProgram(environment) != nil
    }

    /// Creates a database with one authority that is trusted for servers.
    ///
    /// - Throws: ``TemporaryBrowser/Unavailable``, if certutil is missing or fails; Foundation's error, if the folder
    ///   cannot be created.
    package static func make(at folder: URL, trusting file: URL, environment: [String: String]) async throws {
        guard let certutil = ["certutil"].firstProgram(environment) else {
            throw TemporaryBrowser.Unavailable(reason: "certutil (Debian's libnss3-tools) is not installed")
        }
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let database = ["-d", "sql:\(folder.path(percentEncoded: false))"]
        try await run(certutil, arguments: database + ["-N", "--empty-password"])
        let authority = ["-n", "entra-emulator", "-i", file.path(percentEncoded: false)]
        try await run(certutil, arguments: database + ["-A", "-t", "C,,"] + authority)
    }

    /// - Throws: `Unavailable` with the reason, if the program does not start, or with its status, if it fails.
    private static func run(_ program: URL, arguments: [String]) async throws(TemporaryBrowser.Unavailable) {
        let tool: ChildProcess
        do throws(ChildProcess.Failure) {
            tool = try .silent(
                program.path(percentEncoded: false),
                arguments: arguments,
                environment: ProcessInfo.processInfo.environment
            )
        } catch {
            throw TemporaryBrowser.Unavailable(reason: error.description)
        }
        let status = await tool.end()
        guard status == 0 else { throw TemporaryBrowser.Unavailable(reason: "certutil exited with status \(status)") }
    }
}
