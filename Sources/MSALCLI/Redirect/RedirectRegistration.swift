// Licensed under the MIT License. See LICENSE.

import Foundation
import UserFiles

/// The desktop entry of a scheme and the user's choice of a handler, in the folders of the user.
struct RedirectRegistration {
    /// The key that marks the command's own entries.
    private static let mark = "X-MSAL-Redirect"
    private static let group = "Desktop Entry"
    private static let defaults = "Default Applications"

    let scheme: RedirectScheme
    private let dataFolders: [String]
    private let configurationFolders: [String]
    private let environment: [String: String]

    /// - Throws: `Failure` with the status `usage`, if there is no home.
    init(
        _ scheme: RedirectScheme,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(Failure) {
        self.scheme = scheme
        self.environment = environment
        // XDG Base Directory Specification: relative paths are ignored.
        func absolute(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        func list(_ name: String, usual: [String]) -> [String] {
            let paths = (environment[name] ?? "").split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
            return paths.isEmpty ? usual : paths
        }
        guard let data = absolute("XDG_DATA_HOME") ?? absolute("HOME").map({ $0 + "/.local/share" }),
            let configuration = absolute("XDG_CONFIG_HOME") ?? absolute("HOME").map({ $0 + "/.config" })
        else { throw .usage("There is no home directory for a desktop entry.", remedy: "Set HOME.") }
        dataFolders = [data] + list("XDG_DATA_DIRS", usual: ["/usr/local/share", "/usr/share"])
        configurationFolders = [configuration] + list("XDG_CONFIG_DIRS", usual: ["/etc/xdg"])
    }

    /// The path of the user's own entry.
    var file: String { "\(dataFolders[0])/applications/\(scheme.entry)" }
    /// All paths at which this entry may be. The first existing one counts.
    private var files: [String] { dataFolders.map { "\($0)/applications/\(scheme.entry)" } }
    private var choices: String { "\(configurationFolders[0])/mimeapps.list" }

    /// Makes the app's own desktop entry the handler of the scheme. If the app has none, an entry is written.
    ///
    /// - Parameters:
    ///   - program: The program that the desktop starts with the redirect, and its first arguments.
    ///   - name: The name of the app for people.
    /// - Returns: The entry that takes the redirect.
    /// - Throws: `Failure`: `usage`, if the app's entry does not take the scheme; `failed`, if a file cannot be written.
    @discardableResult
    func register(program: [String], name: String) throws(Failure) -> String {
        let entry: String
        if let installed {
            try check(installed)
            // The command may have written its entry before the app was installed. It would hide the app's entry.
            if Self.isOurs(file) { try remove() }
            entry = installed
        } else {
            let text = """
                [\(Self.group)]
                Type=Application
                Name=\(KeyFile.escaped(name))
                Exec=\(ExecLine.line(program)) %u
                NoDisplay=true
                MimeType=\(scheme.type);
                \(Self.mark)=true

                """
            try UserFile.replace(text, at: file, rights: 0o644)
            entry = file
        }
        var list = Self.read(choices) ?? KeyFile("")
        list.set(scheme.entry, key: scheme.type, in: Self.defaults)
        try UserFile.replace(list.text, at: choices, rights: 0o644)
        return entry
    }

    /// The path of the entry that the app brought; `nil` if there is none.
    private var installed: String? { files.first { FileManager.default.fileExists(atPath: $0) && !Self.isOurs($0) } }

    private func check(_ installed: String) throws(Failure) {
        guard let entry = Self.read(installed) else { throw .file("\(installed) cannot be read.") }
        let isHidden = entry[Self.group, key: "Hidden"] == "true"
        guard isHidden || !entry.list(Self.group, key: "MimeType").contains(scheme.type) else { return }
        let change =
            isHidden ? "Remove its line Hidden=true" : "Add to it: MimeType=\(scheme.type); and %u at the end of Exec"
        let isOwn = installed == file
        throw .usage(
            "\(installed) belongs to an app, not to msal, and "
                + "\(isHidden ? "is hidden" : "does not handle \(scheme.scheme)").",
            remedy: "\(isOwn ? "" : "Copy it to \(file) first. ")\(change). Then run this again."
        )
    }

    /// Removes the entry that the command wrote, and the choice of a handler. An entry that the app brought stays.
    ///
    /// - Returns: Whether there was anything to remove.
    /// - Throws: `Failure`, as `register`.
    func unregister() throws(Failure) -> Bool {
        var isChanged = false
        if Self.isOurs(file) {
            try remove()
            isChanged = true
        }
        if var list = Self.read(choices), list[Self.defaults, key: scheme.type] == scheme.entry {
            list.set(nil, key: scheme.type, in: Self.defaults)
            try UserFile.replace(list.text, at: choices, rights: 0o644)
            isChanged = true
        }
        if !isChanged, let installed {
            throw .usage("\(installed) belongs to an app, not to msal.", remedy: "Remove the app that brought it.")
        }
        return isChanged
    }

    private func remove() throws(Failure) {
        guard unlink(file) == 0 else { throw UserFile.unwritable(file) }
    }

    /// The checks whether a redirect would reach the app.
    func checks() -> [Check] {
        let name = "desktop entry"
        let remedy = "Run: msal redirect register \(scheme.applicationID)"
        // The first existing one counts, as for every desktop.
        guard let path = files.first(where: { FileManager.default.fileExists(atPath: $0) }), let entry = Self.read(path)
        else {
            return [Check(name: name, isGood: false, finding: "there is no \(scheme.entry)", remedy: remedy)]
        }
        guard entry[Self.group, key: "Hidden"] != "true" else {
            let line = Self.isOurs(path) ? remedy : "Remove the line: Hidden=true"
            return [Check(name: name, isGood: false, finding: "\(path) is hidden", remedy: line)]
        }
        guard entry.list(Self.group, key: "MimeType").contains(scheme.type) else {
            let line = "Add the line: MimeType=\(scheme.type);"
            return [Check(name: name, isGood: false, finding: "\(path) does not handle \(scheme.scheme)", remedy: line)]
        }
        return [Check(name: name, isGood: true, finding: path), program(of: entry, at: path), handler(remedy)]
    }

    private func program(of entry: KeyFile, at path: String) -> Check {
        let words = ExecLine.words(entry[Self.group, key: "Exec"] ?? "")
        guard let program = words.first?.replacing("%%", with: "%"), words.contains(where: { $0 == "%u" || $0 == "%U" })
        else {
            return Check(
                name: "program",
                isGood: false,
                finding: "Exec in \(path) does not pass the address",
                remedy: "Add %u at its end."
            )
        }
        let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        let places = program.hasPrefix("/") ? [program] : folders.map { "\($0)/\(program)" }
        let isThere = places.contains { access($0, X_OK) == 0 }
        return Check(
            name: "program",
            isGood: isThere,
            finding: isThere ? "\(program) gets the redirect" : "\(program) cannot be run",
            remedy: isThere ? nil : "Correct Exec in \(path)."
        )
    }

    /// The handler that the lists `mimeapps.list` choose. The list for one desktop comes before the common list.
    private func handler(_ remedy: String) -> Check {
        let desktops = (environment["XDG_CURRENT_DESKTOP"] ?? "").lowercased().split(separator: ":").map { "\($0)-" }
        let folders = configurationFolders + dataFolders.map { "\($0)/applications" }
        let lists = folders.flatMap { folder in (desktops + [""]).map { "\(folder)/\($0)mimeapps.list" } }
        let choice = lists.lazy.compactMap { list in
            Self.read(list)?.list(Self.defaults, key: scheme.type).first.map { (list: list, entry: $0) }
        }.first
        let chosen = choice?.entry
        let isGood = chosen == scheme.entry
        // These lists come before the list that the command writes.
        let earlier = desktops.map { "\(configurationFolders[0])/\($0)mimeapps.list" }
        let blockingRemedy = choice.flatMap { earlier.contains($0.list) ? "Remove its line from \($0.list)." : nil }
        return Check(
            name: "handler",
            isGood: isGood,
            finding: chosen.map { isGood ? "it handles \(scheme.scheme)" : "\($0) handles \(scheme.scheme) instead" }
                ?? "no handler is set for \(scheme.scheme)",
            remedy: isGood ? nil : blockingRemedy ?? remedy
        )
    }

    /// Whether the command wrote the entry.
    private static func isOurs(_ path: String) -> Bool { read(path)?[group, key: mark] != nil }

    private static func read(_ path: String) -> KeyFile? {
        // The desktop, too, treats a file that cannot be read as absent.
        (try? UserFile(path, limit: 1 << 20).text()).map(KeyFile.init)
    }
}

/// The value of `Exec` in a desktop entry: a program and its arguments (Desktop Entry Specification, "The Exec key").
enum ExecLine {
    /// A word with one of these characters needs quotes.
    private static let reserved = Set<Character>(" \t\n\"'\\><~|&;$*?#()`")
    /// Within quotes, these characters need a backslash before them.
    private static let escaped = Set<Character>("\"`$\\")

    /// The arguments as one line. A percent sign in a word is a plain character, so it is escaped.
    static func line(_ words: [String]) -> String {
        KeyFile.escaped(words.map(quoted).joined(separator: " "))
    }

    private static func quoted(_ word: String) -> String {
        let word = word.replacing("%", with: "%%")
        guard word.isEmpty || word.contains(where: reserved.contains) else { return word }
        return "\"" + word.map { escaped.contains($0) ? "\\\($0)" : "\($0)" }.joined() + "\""
    }

    /// The arguments in a line, without their quotes. Field codes such as `%u`, and `%%`, stay as they are written.
    static func words(_ line: String) -> [String] {
        var (words, word, isQuoted, isEscaped) = ([String](), String?.none, false, false)
        for character in KeyFile.unescaped(line) {
            switch character {
            case _ where isEscaped: (word, isEscaped) = ((word ?? "") + String(character), false)
            case "\\" where isQuoted: isEscaped = true
            case "\"": (word, isQuoted) = (word ?? "", !isQuoted)
            case " " where !isQuoted:
                words += [word].compactMap(\.self)
                word = nil
            default: word = (word ?? "") + String(character)
            }
        }
        return words + [word].compactMap(\.self)
    }
}
