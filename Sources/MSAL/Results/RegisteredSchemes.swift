// Licensed under the MIT License. See LICENSE.

private import Foundation

/// The name by which the desktop knows the app, and the URI schemes it registered there
/// (docs/reference/RedirectURIs.md#equivalents).
///
/// Only files are read; no command is run.
package enum RegisteredSchemes {
    /// The app's reverse-DNS name: the configured one, else what the bundle, Flatpak or snap says, else `nil`.
    ///
    /// - Parameters:
    ///   - configured: The value of the configuration; taken if its syntax is right.
    ///   - bundleIdentifier: The identifier of the main bundle, if it has one; to find it, a folder is searched.
    ///   - environment: Read for `FLATPAK_ID` and `SNAP_INSTANCE_NAME`.
    /// - Returns: A name that can be part of a file's name.
    package static func applicationID(
        configured: String?,
        bundleIdentifier: @autoclosure () -> String? = Bundle.main.bundleIdentifier,
        environment: [String: String]
    ) -> String? {
        // A snap's desktop entries are called <snap>_<app>.desktop; the main one bears the snap's name twice.
        let snap = environment["SNAP_INSTANCE_NAME"].map { "\($0)_\($0)" }
        if let configured, isApplicationID(configured) { return configured }
        let candidates = [bundleIdentifier(), environment["FLATPAK_ID"]].filter(isApplicationID)
        return candidates.compactMap(\.self).first ?? snap.flatMap { isElement($0) ? $0 : nil }
    }

    /// The schemes in the `MimeType` list of the app's desktop entry, as written there.
    ///
    /// It uses the first entry that it finds in `$XDG_DATA_HOME`, then in each of `$XDG_DATA_DIRS`.
    package static func scan(applicationID: String?, environment: [String: String]) -> Set<String> {
        guard let applicationID else { return [] }
        return DesktopEntry(named: "\(applicationID).desktop", environment).map(schemes(of:)) ?? []
    }

    /// The schemes that a desktop entry claims; none if it is hidden.
    ///
    /// - SeeAlso: Desktop Entry Specification, "Basic format of the file" and "Recognized desktop entry keys".
    package static func schemes(of entry: DesktopEntry) -> Set<String> {
        let members = entry["Desktop Entry"]
        guard members["Hidden"] != "true" else { return [] }
        let prefix = "x-scheme-handler/"
        let types = (members["MimeType"] ?? "").split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        return Set(types.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) })
    }

    /// Two or more elements separated by dots, at most 255 bytes (D-Bus Specification, "Bus names").
    private static func isApplicationID(_ text: String?) -> Bool {
        guard let text, text.utf8.count <= 255 else { return false }
        let elements = text.split(separator: ".", omittingEmptySubsequences: false)
        return elements.count >= 2 && elements.allSatisfy(isElement)
    }

    private static func isElement(_ text: some StringProtocol) -> Bool {
        guard let first = text.first, first.isASCII, first.isLetter || first == "_" else { return false }
        return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
    }
}
