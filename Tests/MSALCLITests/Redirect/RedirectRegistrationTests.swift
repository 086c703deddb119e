// Licensed under the MIT License. See LICENSE.

import Foundation
import TestSupport
import Testing

@testable import MSALCLI

struct RedirectRegistrationTests {
    private let home: TemporaryDirectory
    private var environment: [String: String] {
        ["HOME": home.path, "XDG_DATA_DIRS": home.path + "/system", "PATH": "/bin"]
    }
    private var choices: String { home.path + "/.config/mimeapps.list" }

    init() throws {
        home = try TemporaryDirectory()
    }

    private func registration(_ id: String = "com.contoso.app") throws -> RedirectRegistration {
        try RedirectRegistration(RedirectScheme(id), environment: environment)
    }

    private func write(_ text: String, to path: String) throws {
        let file = URL(filePath: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: file)
    }

    @Test func `a desktop file with a byte order mark and CR LF is read and changed`() {
        var file = KeyFile("\u{FEFF}[A]\r\nk=v\r\n[B]\r\nk=w\r\n")

        #expect(file["A", key: "k"] == "v")
        file.set("x", key: "k", in: "B")
        #expect(file.text == "[A]\nk=v\n[B]\nk=x\n")
    }

    @Test(arguments: [
        "com.Contoso.app", "msauth.com.Contoso.app", "msauth.com.Contoso.app://auth", "MSAUTH.com.Contoso.app:",
    ])
    func `an id, a scheme and a redirect URI mean the same`(text: String) throws {
        let scheme = try RedirectScheme(text)

        #expect(scheme.redirectURI == "msauth.com.contoso.app://auth")
        #expect(scheme.entry == "com.Contoso.app.desktop")
    }

    @Test(arguments: [
        ("https://contoso.example/auth", "the browser opens it itself"), ("http://localhost", "needs no desktop entry"),
        ("contoso", "not the ID"), ("com.contoso/../x", "not the ID"), ("com.con_toso", "not the ID"),
        ("msauth.com.contoso.app://other", "not the ID"), ("", "not the ID"),
    ])
    func `a text without a possible desktop entry is rejected with the reason`(text: String, words: String) throws {
        let failure = try #require(throws: Failure.self) { try RedirectScheme(text) }

        #expect(failure.status == .usage)
        #expect(failure.message.contains(words), "\(failure.message)")
        #expect(failure.remedy != nil)
    }

    @Test func `a registered scheme passes its check, and is removed completely`() throws {
        let other = "[Added Associations]\nimage/png=a.desktop;\n\n[Default Applications]\ntext/html=firefox.desktop\n"
        try write(other, to: choices)

        #expect(try registration().checks().map(\.isGood) == [false])
        try registration().register(program: ["/bin/sh"], name: "Contoso")

        let checks = try registration().checks()
        #expect(checks.map(\.isGood) == [true, true, true], "\(checks)")
        let entry = try String(contentsOfFile: try registration().file, encoding: .utf8)
        #expect(entry.contains("Exec=/bin/sh %u\n"))
        #expect(entry.contains("MimeType=x-scheme-handler/msauth.com.contoso.app;\n"))
        #expect(try registration().unregister())
        #expect(try String(contentsOfFile: choices, encoding: .utf8) == other)
        #expect(try !registration().unregister())
    }

    @Test(arguments: ["/bin/a;b", "/bin/100%", "/bin/it's", #"/bin/a"b\c"#, "/bin/$HOME `id`"])
    func `a program with any name is found again`(_ name: String) throws {
        let program = home.path + name
        try write("#!/bin/sh", to: program)
        try #require(chmod(program, 0o700) == 0)

        try registration().register(program: [program], name: #"back\slash"#)

        let checks = try registration().checks()
        #expect(checks.map(\.isGood) == [true, true, true], "\(checks)")
        #expect(checks[1].finding == "\(program) gets the redirect")
        #expect(try String(contentsOfFile: registration().file, encoding: .utf8).contains(#"Name=back\\slash"#))
    }

    @Test func `an app's own entry is neither overwritten nor removed`() throws {
        let entry = "[Desktop Entry]\nType=Application\nExec=/opt/contoso\n"
        try write(entry, to: try registration().file)

        #expect(throws: Failure.self) { try registration().register(program: ["/bin/sh"], name: "x") }
        #expect(throws: Failure.self) { try registration().unregister() }
        #expect(try String(contentsOfFile: try registration().file, encoding: .utf8) == entry)
    }

    @Test func `an entry that belongs to an app is used, not hidden by another`() throws {
        let path = home.path + "/system/applications/com.contoso.app.desktop"
        let entry = "[Desktop Entry]\nExec=/bin/sh %u\nMimeType=x-scheme-handler/msauth.com.contoso.app;\n"
        // Created before the app was installed.
        try registration().register(program: ["/bin/sh"], name: "x")
        try write(entry, to: path)

        #expect(try registration().register(program: ["/bin/sh"], name: "x") == path)

        #expect(!FileManager.default.fileExists(atPath: try registration().file))
        #expect(try registration().checks().map(\.isGood) == [true, true, true])
        #expect(try registration().unregister())
        #expect(try String(contentsOfFile: path, encoding: .utf8) == entry)
        #expect(try registration().checks().last?.isGood == false)
    }

    @Test func `an entry of an app for other purposes is not hidden either`() throws {
        let path = home.path + "/system/applications/com.contoso.app.desktop"
        try write("[Desktop Entry]\nExec=/bin/sh\n", to: path)

        let failure = try #require(throws: Failure.self) {
            try registration().register(program: ["/bin/sh"], name: "x")
        }

        #expect(failure.message.contains(path) && failure.remedy?.contains("Copy it to") == true)
        #expect(!FileManager.default.fileExists(atPath: try registration().file))
    }

    @Test func `a list for one desktop that takes precedence is named`() throws {
        var environment = environment
        environment["XDG_CURRENT_DESKTOP"] = "GNOME"
        let list = home.path + "/.config/gnome-mimeapps.list"
        try write("[Default Applications]\nx-scheme-handler/msauth.com.contoso.app=other.desktop\n", to: list)
        let registration = try RedirectRegistration(RedirectScheme("com.contoso.app"), environment: environment)
        try registration.register(program: ["/bin/sh"], name: "x")

        #expect(registration.checks().last?.remedy == "Remove its line from \(list).")
    }

    @Test(arguments: [
        ("Hidden=true\nMimeType=x-scheme-handler/msauth.com.contoso.app;\nExec=/bin/sh %u", "is hidden"),
        ("Exec=/bin/sh %u", "does not handle"),
        ("MimeType=x-scheme-handler/msauth.com.contoso.app;\nExec=/bin/sh", "does not pass the address"),
        ("MimeType=x-scheme-handler/msauth.com.contoso.app;\nExec=\"/no such/app\" %u", "/no such/app cannot be run"),
    ])
    func `an invalid entry is reported with the reason`(lines: String, words: String) throws {
        try write("[Desktop Entry]\n\(lines)\n", to: home.path + "/system/applications/com.contoso.app.desktop")

        let failed = try registration().checks().filter { !$0.isGood }

        #expect(failed.first?.finding.contains(words) == true, "\(failed)")
        #expect(failed.first?.remedy != nil)
    }

    @Test func `a second handler of the scheme is named`() throws {
        try registration().register(program: ["sh"], name: "Contoso")
        try write(
            "[Default Applications]\nx-scheme-handler/msauth.com.contoso.app=other.desktop;com.contoso.app.desktop;\n",
            to: choices
        )

        let handler = try #require(try registration().checks().last)

        #expect(!handler.isGood)
        #expect(handler.finding == "other.desktop handles msauth.com.contoso.app instead")
    }
}
