// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import MSAL
@testable import MSALBase

struct PrivateWindowTests {
    private let url: URL
    private let home: TemporaryDirectory
    private let environment: [String: String]

    init() throws {
        url = try #require(URL(string: "https://login.example/?a=1"))
        home = try TemporaryDirectory()
        environment = ["HOME": home.path, "DISPLAY": ":0", "XDG_DATA_DIRS": "/nonexistent", "PATH": "/nonexistent"]
    }

    private func write(_ text: String, to path: String) throws {
        let file = home.url.appending(path: path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    @Test(arguments: [
        (["firefox"], ["firefox", "--private-window", "%s"]),
        (["/usr/bin/firefox-esr", "-P", "work"], ["/usr/bin/firefox-esr", "-P", "work", "--private-window", "%s"]),
        (["chromium", "%s", "--app"], ["chromium", "--incognito", "%s", "--app"]),
        (["google-chrome", "--incognito"], ["google-chrome", "--incognito", "%s"]),
        (["microsoft-edge"], ["microsoft-edge", "--inprivate", "%s"]),
        (["firefox", "-private-window"], ["firefox", "-private-window", "%s"]),
        (["my-agent"], ["my-agent", "%s"]),
    ])
    func `a configured command gets its browser's option, and another program is unchanged`(
        _ command: [String],
        _ expected: [String]
    ) {
        let launcher = BrowserLauncher(environment: ["BROWSER": command.joined(separator: " ")])
        let line = expected.map { $0.replacing("%s", with: url.absoluteString) }

        #expect(launcher.commands(for: url, command: command, isPrivate: true) == [line, line])
        #expect(!launcher.commands(for: url, command: ["firefox"])[0].contains("--private-window"))
    }

    @Test func `the default browser's own action takes precedence over xdg-open`() throws {
        try write(
            "[Default Applications]\nx-scheme-handler/https=gone.desktop;web.desktop;\n",
            to: ".config/mimeapps.list"
        )
        try write(
            """
            [Desktop Entry]
            Exec=flatpak run web @@u %u @@
            [Desktop Action new-window]
            Exec=flatpak run web --new-window @@u %u @@
            [Desktop Action new-private-window]
            Exec="/opt/my web" --private-window @@u %u @@
            """,
            to: ".local/share/applications/web.desktop"
        )

        let commands = BrowserLauncher(environment: environment).commands(for: url, command: nil, isPrivate: true)

        let address = url.absoluteString
        #expect(commands == [["/opt/my web", "--private-window", "@@u", address, "@@"], ["xdg-open", address]])
    }

    @Test func `a desktop's own list comes first, and a hidden browser is ignored`() throws {
        try write(
            "[Default Applications]\nx-scheme-handler/https=hidden.desktop;one.desktop",
            to: ".config/gnome-mimeapps.list"
        )
        try write("[Default Applications]\nx-scheme-handler/https=two.desktop", to: ".config/mimeapps.list")
        try write("[Desktop Entry]\nHidden=true\nExec=hidden --private", to: ".local/share/applications/hidden.desktop")
        try write("[Desktop Entry]\nExec=one --incognito %U", to: ".local/share/applications/one.desktop")
        try write("[Desktop Entry]\nExec=two --incognito", to: ".local/share/applications/two.desktop")
        let gnome = environment.merging(["XDG_CURRENT_DESKTOP": "ubuntu:GNOME"]) { $1 }

        #expect(PrivateWindow.ofDefaultBrowser(gnome) == ["one", "--incognito", "%s"])
        #expect(PrivateWindow.ofDefaultBrowser(environment) == ["two", "--incognito"])
    }

    @Test func `a browser without such an action opens a normal window`() throws {
        try write("[Default Applications]\nx-scheme-handler/https=plain.desktop", to: ".config/mimeapps.list")
        try write("[Desktop Entry]\nExec=plain %u", to: ".local/share/applications/plain.desktop")

        let commands = BrowserLauncher(environment: environment).commands(for: url, command: nil, isPrivate: true)

        #expect(commands == [["xdg-open", url.absoluteString]])
    }

    @Test(arguments: [
        (["true"], true, 1), (["true"], false, 0), (["true", "--private-window"], true, 0),
        (["no-such-browser", "--private-window"], true, 1),
    ])
    func `a normal window instead of a private one is logged once`(
        _ command: [String],
        _ isPrivate: Bool,
        _ warnings: Int
    ) async {
        let lines = Mutex<[String]>([])
        let launcher = BrowserLauncher(environment: ["BROWSER": "true", "PATH": "/usr/bin:/bin"])

        let outcome = await Log.$listener.withValue(Log.Listener { _, line in lines.withLock { $0.append(line) } }) {
            await launcher.open(url, command: command, isPrivate: isPrivate)
        }

        #expect(outcome == .started)
        #expect(lines.withLock { $0 }.count { $0.contains("private window") } == warnings)
    }

    @Test func `the app is notified of a normal window before it opens, and no page opens if it cancels then`() async {
        let told = Mutex(0)
        let usual = BrowserLauncher(environment: ["BROWSER": "true", "PATH": "/usr/bin:/bin"])
            .launches(of: url, command: nil, isPrivate: true)

        let opening = Task {
            var launches = usual
            launches.onUsualWindow = {
                told.withLock { $0 += 1 }
                withUnsafeCurrentTask { $0?.cancel() }
            }
            return (await launches.next(), launches.current == nil)
        }
        let (outcome, opensNothing) = await opening.value

        #expect(outcome == .canceled)
        #expect(opensNothing)
        #expect(told.withLock { $0 } == 1)
    }

    @Test(arguments: ["-private-window", "-private", "-incognito"])
    func `a browser's option may start with one dash`(_ word: String) throws {
        try write("[Default Applications]\nx-scheme-handler/https=old.desktop", to: ".config/mimeapps.list")
        try write("[Desktop Entry]\nExec=old \(word) %u", to: ".local/share/applications/old.desktop")

        #expect(PrivateWindow.ofDefaultBrowser(environment) == ["old", word, "%s"])
    }

    @Test(arguments: [
        (#"Exec="a\\\\b" --private"#, [#"a\b"#, "--private"]),
        (#"Exec="\\$HOME" --private"#, ["$HOME", "--private"]),
        (#"Exec=one\stwo --private"#, ["one", "two", "--private"]),
        (#"Exec="a\"b" --private"#, [#"a"b"#, "--private"]),
    ])
    func `the escapes of the file are decoded before those of the quotes`(_ line: String, _ words: [String]) throws {
        try write("[Default Applications]\nx-scheme-handler/https=odd.desktop", to: ".config/mimeapps.list")
        try write("[Desktop Entry]\n\(line)", to: ".local/share/applications/odd.desktop")

        #expect(PrivateWindow.ofDefaultBrowser(environment) == words)
    }

    @Test(arguments: [
        ("web %u", ["web", "%s"]), ("web", ["web"]), ("  web   --x=%U ", ["web", "--x=%U"]),
        (#""a b" "c\"\\d" %i 100%%"#, ["a b", #"c"\d"#, "100%"]), (#""open"#, ["open"]), ("", []),
    ])
    func `an Exec value is split as the specification requires`(_ exec: String, _ words: [String]) {
        #expect(PrivateWindow.words(exec: exec) == words)
    }

    @Test(arguments: [true, false])
    func `the app's choice of a private window reaches the visit`(_ wish: Bool) async throws {
        let wishes = AsyncStream.makeStream(of: Bool.self)
        let bench = try BadInputBench(
            agent: StubAgent { visit, _ in
                wishes.continuation.yield(visit.window.isPrivate)
                return ["error": "access_denied", "state": visit.expectedState]
            }
        )
        let webview = MSALWebviewParameters()
        webview.prefersEphemeralWebBrowserSession = wish

        _ = try await bench.failure { try await bench.signIn(webview) }

        var iterator = wishes.stream.makeAsyncIterator()
        let heard = await iterator.next()
        #expect(heard == wish)
    }
}
