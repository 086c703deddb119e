// Licensed under the MIT License. See LICENSE.

package import Foundation

/// An installed browser that can use a separate profile.
package struct BrowserProgram: Sendable {
    /// The families of browsers, which store a profile in different ways.
    package enum Family: String, Sendable, CaseIterable {
        /// Chromium and Chrome.
        case chromium
        /// Firefox.
        case firefox

        /// The names of its programs, in order of preference.
        fileprivate var programs: [String] {
            switch self {
            case .chromium: ["chromium", "google-chrome", "google-chrome-stable"]
            case .firefox: ["firefox", "firefox-esr"]
            }
        }
    }

    /// The family that the browser belongs to.
    package let family: Family
    /// The program.
    package let file: URL

    /// The first browser of a family, or of any, in the `PATH`.
    package static func first(_ family: Family?, in environment: [String: String]) -> BrowserProgram? {
        (family.map { [$0] } ?? Family.allCases).lazy.compactMap { family in
            family.programs.firstProgram(environment).map { BrowserProgram(family: family, file: $0) }
        }
        .first
    }

    /// The location of its certificate authorities, an NSS database, relative to its separate home folder.
    var database: String {
        switch family {
        case .chromium: AuthorityDatabase.chromium
        case .firefox: "profile"
        }
    }

    /// The arguments that open an address in a profile.
    func arguments(opening url: URL, home: URL) -> [String] {
        let profile = home.appending(path: "profile").path(percentEncoded: false)
        switch family {
        case .chromium:
            // The other options disable its prompts about defaults, and its use of the keyring and of the network.
            return [
                "--user-data-dir=\(profile)", "--no-first-run", "--no-default-browser-check", "--password-store=basic",
                "--disable-sync", "--disable-component-update", "--disable-background-networking",
                "--ozone-platform-hint=auto",
            ]
                // Chromium's sandbox does not work for root, for example in a container.
                + (geteuid() == 0 ? ["--no-sandbox"] : []) + [url.absoluteString]
        case .firefox:
            return ["--no-remote", "--new-instance", "--profile", profile, url.absoluteString]
        }
    }

    /// A file that disables the browser's own prompts and its use of the network. `path` is relative to the folder that
    /// becomes the browser's home.
    var preferences: (path: String, text: String) {
        switch family {
        case .chromium:
            // There is no point in saving the password of a test in a profile that is deleted.
            return ("profile/Default/Preferences", "{\"credentials_enable_service\":false}")
        case .firefox:
            let settings = [
                ("browser.shell.checkDefaultBrowser", "false"), ("browser.aboutwelcome.enabled", "false"),
                ("browser.startup.homepage_override.mstone", "\"ignore\""), ("app.update.enabled", "false"),
                ("app.normandy.enabled", "false"), ("browser.startup.page", "0"),
                ("datareporting.policy.dataSubmissionEnabled", "false"), ("signon.rememberSignons", "false"),
            ]
            return ("profile/user.js", settings.map { "user_pref(\"\($0.0)\", \($0.1));\n" }.joined())
        }
    }
}

extension [String] {
    /// The first of these programs in the `PATH` that is not a snap. Snaps cannot access another home folder.
    func firstProgram(_ environment: [String: String]) -> URL? {
        let folders = (environment["PATH"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
            .map { URL(filePath: String($0)) }
        return lazy.flatMap { name in folders.lazy.map { $0.appending(path: name) } }.first {
            FileManager.default.isExecutableFile(atPath: $0.path(percentEncoded: false))
                && ![$0, $0.resolvingSymlinksInPath()].contains { $0.path(percentEncoded: false).hasPrefix("/snap") }
        }
    }
}
