// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import TestSupport
import Testing
import UserFiles

@testable import MSALCLI

struct ConfigFileTests {
    private let folder: TemporaryDirectory
    private var environment: [String: String] { ["XDG_CONFIG_HOME": folder.path] }
    private var path: String { folder.path + "/msal/config.yaml" }

    init() throws {
        folder = try TemporaryDirectory()
    }

    @Test func `a setting creates the file, which only its user may read`() throws {
        var file = try ConfigFile(environment: environment)

        try file.change([(["default_profile"], .text("a")), (["profiles", "a", "client_id"], .text("one"))])

        let rights = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(rights == 0o600)
        #expect(try ProfileFile(path: path).profiles["a"]?.clientID == "one")
        #expect(try ConfigFile(environment: environment).profile(named: nil, environment: [:]) == "a")
    }

    @Test func `a folder may have a space in its name`() throws {
        let environment = ["XDG_CONFIG_HOME": folder.path + "/my settings"]
        var file = try ConfigFile(environment: environment)

        try file.change([(["default_profile"], .text("a"))])
        try file.change([(["default_profile"], .text("b"))])

        #expect(try ProfileFile(path: folder.path + "/my settings/msal/config.yaml").defaultProfile == "b")
    }

    @Test func `a file that cannot be written is reported with the system's reason`() throws {
        var file = try ConfigFile(environment: ["XDG_CONFIG_HOME": "/dev/null"])

        let failure = try #require(throws: Failure.self) { try file.change([(["default_profile"], .text("a"))]) }

        #expect(failure.message == "/dev/null/msal/config.yaml cannot be written: Not a directory.")
        // Permissions would not help.
        #expect(failure.remedy == nil)
        #expect(UserFile.unwritable("f", reason: "Permission denied").remedy?.contains("allowed to write") == true)
    }

    @Test func `a file keeps its permissions, and a link to it stays a link`() throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/msal", withIntermediateDirectories: true)
        let target = folder.path + "/dotfiles.yaml"
        try Data("default_profile: a\n".utf8).write(to: URL(filePath: target))
        try #require(chmod(target, 0o640) == 0)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        var file = try ConfigFile(environment: environment)

        try file.change([(["default_profile"], .text("b"))])

        #expect(try String(contentsOfFile: target, encoding: .utf8) == "default_profile: b\n")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == target)
        #expect(try FileManager.default.attributesOfItem(atPath: target)[.posixPermissions] as? Int == 0o640)
    }

    @Test(arguments: [
        (["../dotfiles/config.yaml"], "dotfiles/config.yaml"), (["config.real.yaml"], "msal/config.real.yaml"),
        (["link", "../new/folder/config.yaml"], "new/folder/config.yaml"),
    ])
    func `a dangling or relative link stays a link`(links: [String], target: String) throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/msal", withIntermediateDirectories: true)
        let names = [path] + links.dropLast().map { "\(folder.path)/msal/\($0)" }
        for (name, link) in zip(names, links) {
            try FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: link)
        }

        for profile in ["a", "b"] {
            var file = try ConfigFile(environment: environment)
            try file.change([(["default_profile"], .text(profile))])
            let text = try String(contentsOfFile: "\(folder.path)/\(target)", encoding: .utf8)
            #expect(text == "default_profile: \(profile)\n")
        }

        for (name, link) in zip(names, links) {
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: name) == link)
        }
    }

    @Test func `a link to itself is not replaced`() throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/msal", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "config.yaml")
        var file = try ConfigFile(environment: environment)

        let failure = try #require(throws: Failure.self) { try file.change([(["default_profile"], .text("a"))]) }

        #expect(failure.message.hasPrefix("\(path) cannot be written: "))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "config.yaml")
    }

    @Test(arguments: [
        ("port", "70000", "from 1 to 65535"), ("authority", "http://x", "only over https"),
        ("graph_url", "x", "not an https address"), ("graph_url", "https://localhost:99999", "invalid port"),
        ("client_id", "a\nb", "single line"),
    ])
    func `an invalid value is not written`(member: String, value: String, words: String) throws {
        var file = try ConfigFile(environment: environment)

        let failure = try #require(throws: Failure.self) {
            try file.change([(["profiles", "a", member], .text(value))])
        }

        #expect(failure.message.contains(words), "\(failure.message)")
        #expect(failure.status == .usage)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `conflicting settings are reported without a line number if the file was not written`() throws {
        var file = try ConfigFile(environment: environment)
        try file.change([(["profiles", "a", "port"], .text("8400"))])

        let failure = try #require(throws: Failure.self) {
            try file.change([(["profiles", "a", "redirect_uri"], .text("http://localhost"))])
        }

        #expect(failure.message.hasPrefix("port and redirect_uri cannot be used together"))
        #expect(try ProfileFile(path: path).profiles["a"]?.redirect?.uri == "http://localhost:8400")
    }

    @Test func `a default account is removed wherever it is set, with any case of the client ID`() throws {
        let text = """
            profiles:
              contoso:
                client_id: aB-1
                account: megan@contoso.example
            accounts:
              Ab-1: alex@contoso.example
              other: lee@contoso.example

            """
        try FileManager.default.createDirectory(atPath: folder.path + "/msal", withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: path))
        func settings() throws -> Settings {
            try Settings(
                try ClientOptions.parse([]),
                scopes: [],
                environment: [:],
                profile: try Profile.selected(named: "contoso", environment: environment)
            )
        }
        #expect(try settings().account == "megan@contoso.example")

        var file = try ConfigFile(environment: environment)
        try file.setDefaultAccount(nil, of: try settings())

        #expect(try settings().account == nil)
        #expect(try ProfileFile(path: path).accounts == ["other": "lee@contoso.example"])
    }

    @Test func `settings are listed in three formats`() {
        let report = ConfigReport(
            path: "/c",
            profile: "a",
            values: [("client_id", ["one"]), ("scopes", ["x", "y"])],
            overriding: ["MSAL_CLIENT_ID"]
        )

        #expect(report.text(.plain).description.contains("client_id  one\nscopes     x y\nMSAL_CLIENT_ID is set"))
        #expect(report.json.contains("\"scopes\" : [\n      \"x\""))
        #expect(report.raw == "client_id\tone\nscopes\tx y")
        let value = ConfigReport(path: "/c", values: [("scopes", ["x", "y"])], isList: false)
        #expect(value.raw == "x y" && value.text(.plain).description == "x y")
    }
}
