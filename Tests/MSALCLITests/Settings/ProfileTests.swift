// Licensed under the MIT License. See LICENSE.

import Foundation
import TestSupport
import Testing

@testable import MSALCLI

struct ProfileTests {
    private func file(_ text: String) throws -> ProfileFile {
        try ProfileFile(text: text, path: "/home/megan/.config/msal/config.yaml")
    }

    @Test func `a profile sets the values of its members`() throws {
        let file = try file(
            """
            default_profile: contoso
            profiles:
              contoso:
                client_id: 00000000-0000-4000-8000-000000000001
                authority: https://localhost:8443/contoso.example
                known_authorities: [https://localhost:8443/contoso.example]
                scopes: [User.Read, Mail.Read]
                ca_file: ca.pem
                graph_url: https://localhost:8443/
                redirect_uri: http://localhost:8400/back
              fabrikam:
                port: 8400
            """
        )

        let expected = Profile(
            clientID: "00000000-0000-4000-8000-000000000001",
            authority: "https://localhost:8443/contoso.example",
            knownAuthorities: ["https://localhost:8443/contoso.example"],
            scopes: ["User.Read", "Mail.Read"],
            caFile: URL(filePath: "/home/megan/.config/msal/ca.pem"),
            graphURL: "https://localhost:8443/",
            redirect: try RedirectChoice(port: nil, uri: "http://localhost:8400/back", names: ("", ""))
        )
        #expect(file.defaultProfile == "contoso")
        #expect(file.profiles["contoso"] == expected)
        #expect(file.profiles["fabrikam"]?.redirect?.uri == "http://localhost:8400")
    }

    @Test func `an invalid or oversized file is an invalid setting, and is not waited for`() throws {
        try withTemporaryDirectory { folder in
            let (pipe, large) = (folder.path + "/pipe", folder.path + "/large")
            try #require(mkfifo(pipe, 0o600) == 0)
            // A sparse file takes no space.
            try #require(FileManager.default.createFile(atPath: large, contents: nil) && truncate(large, 3 << 30) == 0)

            for (path, reason) in [
                (pipe, "is not a regular file"), (large, "is larger than"), ("/dev/zero", "is not a regular file"),
                (folder.path, "is not a regular file"),
            ] {
                let failure = #expect(throws: Failure.self) { try ProfileFile(path: path) }
                #expect(failure?.status == .usage)
                #expect(failure?.message.contains(reason) == true)
            }
        }
    }

    @Test(arguments: ["", "# nothing yet\n", "profiles:\n"])
    func `an empty file has no profiles`(text: String) throws {
        #expect(try file(text).profiles.isEmpty)
    }

    @Test(arguments: [
        ("profile:\n  a: {}\n", 1, "unknown setting profile"),
        ("profiles:\n  a:\n    clientid: x\n", 3, "unknown setting clientid"),
        ("profiles:\n  a:\n    client_id: [x]\n", 3, "client_id must be a string"),
        ("profiles:\n  a:\n    port: 70000\n", 3, "1 to 65535"),
        ("profiles:\n  a:\n    port: -1\n", 3, "1 to 65535"),
        ("profiles:\n  a:\n    port: [1]\n", 3, "port must be a string"),
        ("profiles:\n  a:\n    redirect_uri: {}\n", 3, "redirect_uri must be a string"),
        ("profiles:\n  a:\n    port: 1\n    redirect_uri: http://localhost\n", 3, "cannot be used together"),
        ("profiles:\n  a: x\n", 2, "must be a mapping"),
        ("profiles:\n  a:\n\tclient_id: x\n", 3, ""),
        ("profiles:\n  a: {\n", 3, ""),
    ])
    func `an error is reported with file and line`(text: String, line: Int, words: String) throws {
        let failure = try #require(throws: Failure.self) { try file(text) }

        #expect(failure.status == .usage)
        #expect(failure.message.hasPrefix("/home/megan/.config/msal/config.yaml:\(line): "), "\(failure.message)")
        #expect(words.isEmpty || failure.message.contains(words), "\(failure.message)")
        #expect(failure.remedy != nil)
    }

    @Test func `the file is in the folder of the XDG specification`() {
        #expect(ProfileFile.path(environment: ["XDG_CONFIG_HOME": "/x", "HOME": "/h"]) == "/x/msal/config.yaml")
        #expect(ProfileFile.path(environment: ["XDG_CONFIG_HOME": "x", "HOME": "/h"]) == "/h/.config/msal/config.yaml")
        #expect(ProfileFile.path(environment: [:]) == nil)
        #expect(ProfileFile.path(environment: ["MSAL_CONFIG": "/c.yaml", "XDG_CONFIG_HOME": "/x"]) == "/c.yaml")
        #expect(ProfileFile.path(environment: ["MSAL_CONFIG": "", "HOME": "/h"]) == "/h/.config/msal/config.yaml")
    }

    @Test func `a requested profile must exist`() throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let folder = directory.url
        let environment = ["XDG_CONFIG_HOME": directory.path]

        #expect(try Profile.selected(named: nil, environment: environment) == Profile())
        #expect(throws: Failure.self) { try Profile.selected(named: "a", environment: environment) }

        try FileManager.default.createDirectory(at: folder.appending(path: "msal"), withIntermediateDirectories: true)
        let text = "default_profile: a\nprofiles:\n  a: {client_id: one}\n  b: {client_id: two}\n"
        try text.write(to: folder.appending(path: "msal/config.yaml"), atomically: true, encoding: .utf8)

        #expect(try Profile.selected(named: nil, environment: environment).clientID == "one")
        #expect(
            try Profile.selected(named: nil, environment: environment.merging(["MSAL_PROFILE": "b"]) { $1 }).clientID
                == "two"
        )
        let failure = try #require(throws: Failure.self) {
            try Profile.selected(named: "c", environment: environment)
        }
        #expect(failure.remedy == "Available profiles: a, b")
    }
}
