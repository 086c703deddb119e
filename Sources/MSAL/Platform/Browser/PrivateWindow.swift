// Licensed under the MIT License. See LICENSE.

import Foundation

/// Command lines that open a page in a private window, which has separate cookies.
enum PrivateWindow {
    /// The options with which browsers open a private window.
    private static let options: Set<String> = [
        "--incognito", "--inprivate", "--private", "--private-window", "--incognito-mode",
        "-incognito", "-private", "-private-window",
    ]

    /// A browser's command line with its option for a private window before the URL; `nil` for an unknown program whose
    /// command line has no such option.
    static func command(_ words: [String]) -> [String]? {
        if words.contains(where: options.contains) { return words }
        guard let program = words.first?.split(separator: "/").last, let option = option(of: program) else {
            return nil
        }
        var command = words
        command.insert(option, at: words.firstIndex { $0.contains("%s") } ?? words.endIndex)
        return command
    }

    private static func option(of program: Substring) -> String? {
        switch program {
        case "firefox", "firefox-esr", "librewolf", "waterfox": "--private-window"
        case "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "google-chrome-beta", "brave",
            "brave-browser", "brave-browser-stable", "vivaldi", "vivaldi-stable":
            "--incognito"
        case "microsoft-edge", "microsoft-edge-stable": "--inprivate"
        case "opera", "opera-stable": "--private"
        case "epiphany", "epiphany-browser": "--incognito-mode"
        default: nil
        }
    }

    /// The command line with which the user's default browser opens a private window, from one of the actions in the
    /// browser's desktop entry; `nil` if there is no such action or no default browser.
    static func ofDefaultBrowser(_ environment: [String: String]) -> [String]? {
        guard let entry = defaultBrowser(environment) else { return nil }
        let commands = entry.groups.filter { $0.name == "Desktop Entry" || $0.name.hasPrefix("Desktop Action ") }
            .compactMap { $0.values["Exec"].map(words) }
        return commands.first { $0.contains(where: options.contains) }
    }

    /// The first default browser that is installed (Association between MIME types and applications, "Default
    /// Application").
    private static func defaultBrowser(_ environment: [String: String]) -> DesktopEntry? {
        let desktops = (environment["XDG_CURRENT_DESKTOP"] ?? "").split(separator: ":").map { "\($0.lowercased())-" }
        let folders =
            DesktopEntry.configurationFolders(environment)
            + DesktopEntry.dataFolders(environment).map { $0.appending(path: "applications") }
        for folder in folders {
            for desktop in desktops + [""] {
                let list = DesktopEntry(file: folder.appending(path: "\(desktop)mimeapps.list"))
                let names = list?["Default Applications"]["x-scheme-handler/https"]?.split(separator: ";") ?? []
                for name in names {
                    let entry = DesktopEntry(named: name.trimmingCharacters(in: .whitespaces), environment)
                    if let entry, entry["Desktop Entry"]["Hidden"] != "true" { return entry }
                }
            }
        }
        return nil
    }

    /// The arguments in an `Exec` value whose file escapes are already resolved (Desktop Entry Specification, "The Exec
    /// key"). `%u` becomes `%s`, and the other field codes are removed.
    static func words(exec: String) -> [String] {
        var words: [String] = []
        var word: String?
        var isQuoted = false
        var rest = exec[...]
        while let character = rest.popFirst() {
            switch character {
            case "\"":
                isQuoted.toggle()
                word = word ?? ""
            case "\\" where isQuoted: word = (word ?? "") + (rest.popFirst().map(String.init) ?? "")
            case " " where !isQuoted:
                words.append(contentsOf: [word].compactMap(\.self))
                word = nil
            default: word = (word ?? "") + String(character)
            }
        }
        words.append(contentsOf: [word].compactMap(\.self))
        return words.compactMap { word in
            switch word {
            case "%u", "%U": "%s"
            case _ where word.count == 2 && word.hasPrefix("%") && word != "%%": nil
            default: word.replacing("%%", with: "%")
            }
        }
    }
}
