// Licensed under the MIT License. See LICENSE.

package import Foundation

/// The location of the conformance cases, whose format `Tests/Conformance/README.md` describes.
package enum ConformanceFiles {
    /// The folder in `MSAL_CONFORMANCE_DIR`, or `Tests/Conformance`.
    package static let folder = folder(in: ProcessInfo.processInfo.environment)

    package static func folder(in environment: [String: String]) -> URL {
        guard let named = environment["MSAL_CONFORMANCE_DIR"], !named.isEmpty else { return own }
        return URL(filePath: named, directoryHint: .isDirectory)
    }

    /// Prints how many cases a suite runs, if they are from another folder than this repository's.
    package static func announce(_ count: Int, for suite: String) {
        guard folder != own else { return }
        print("MSAL_CONFORMANCE_DIR \(folder.path): \(suite) replays \(count) cases.")
    }

    /// The files of `folder`, and those of this repository whose names it lacks; `nil` if `folder` cannot be read.
    package static let all: [URL]? = {
        func files(_ folder: URL) -> [URL]? {
            try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        }
        guard let given = files(folder) else { return nil }
        let names = Set(given.map(\.lastPathComponent))
        return given + (files(own) ?? []).filter { !names.contains($0.lastPathComponent) }
    }()

    private static let own = package.appending(path: "Tests/Conformance", directoryHint: .isDirectory)

    /// The reason that a suite reports if its files are not in `folder`.
    package static let absence = "MSAL_CONFORMANCE_DIR names a folder without these cases."

    private static let package: URL = {
        var package = URL(filePath: #filePath)
        for _ in 0..<3 { package.deleteLastPathComponent() }
        return package
    }()
}
