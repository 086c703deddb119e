// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import TestSupport
import Testing

@testable import MSALCore

struct RedirectURITests {
    @Test(arguments: ["http://localhost?x=1", "http://user@localhost", "http://localhost.example", "nothing"])
    func `unusual loopback addresses are rejected`(_ text: String) {
        #expect(throws: RedirectURIError.self) {
            try RedirectURI.verify(text, applicationID: nil, registeredSchemes: [], authority: .default)
        }
    }

    @Test(
        arguments: [
            ("msal{client-id}://auth", "begins with msal{client-id}, which cannot be a scheme"),
            ("msalENTER_YOUR_ID://auth", "begins with msalENTER_YOUR_ID, which cannot be a scheme"),
            ("1msal://auth", "begins with 1msal, which cannot be a scheme"),
            ("nothing", "is missing a scheme"), ("://auth", "is missing a scheme"),
            ("msalID://auth", "is not registered, and it has a form that work and school accounts do not accept"),
            ("msauth.com.contoso.app://auth", "the app has none; set applicationID"),
        ]
    )
    func `a rejection states the fault`(_ text: String, _ cause: String) throws {
        let error = try #require(
            throws: RedirectURIError.self,
            performing: { try RedirectURI.verify(text, applicationID: nil, registeredSchemes: [], authority: .default) }
        )

        #expect(error.message.contains(cause), "\(error.message)")
    }

    @Test func `the app's own scheme has to be registered`() throws {
        let error = try #require(
            throws: RedirectURIError.self,
            performing: {
                try RedirectURI.verify(
                    "msauth.com.contoso.app://auth",
                    applicationID: "com.contoso.app",
                    registeredSchemes: [],
                    authority: .default
                )
            }
        )

        #expect(error.message.contains("Add x-scheme-handler/msauth.com.contoso.app to MimeType"))
    }

    @Test func `port 80 of a loopback address means any port`() throws {
        let uri = try RedirectURI.verify(
            "http://[::1]:80/cb",
            applicationID: nil,
            registeredSchemes: [],
            authority: .default
        )

        #expect(uri.kind == .loopback(host: "[::1]", port: nil, path: "/cb"))
    }

    @Test func `the bypass accepts anything except a fragment`() throws {
        let uri = try RedirectURI.verify(
            "anything://goes",
            applicationID: nil,
            registeredSchemes: [],
            authority: .default,
            bypass: true
        )

        #expect(uri.kind == .scheme)
        #expect(throws: RedirectURIError.self) {
            try RedirectURI.verify(
                "anything://goes#x",
                applicationID: nil,
                registeredSchemes: [],
                authority: .default,
                bypass: true
            )
        }
    }

    @Test(
        arguments: [
            ("http://localhost", 0), ("http://127.0.0.1:8400/cb", 0), ("msauth.com.contoso.app://auth", 1), (nil, 1),
        ]
    )
    func `the app's scheme registrations are checked only if needed`(_ text: String?, looks expected: Int) throws {
        var looks = 0
        func schemes() -> Set<String> {
            looks += 1
            return ["msauth.com.contoso.app"]
        }

        _ = try RedirectURI.verify(
            text,
            applicationID: "com.contoso.app",
            registeredSchemes: schemes(),
            authority: .default
        )

        #expect(looks == expected)
    }

    @Test func `a desktop entry registers the schemes of its own group`() {
        let entry = """
            # MimeType=x-scheme-handler/comment;
            [Desktop Entry]
            Type=Application
            MimeType=text/html;x-scheme-handler/msauth.com.contoso.app;
            [Desktop Action New]
            MimeType=x-scheme-handler/other;
            """

        #expect(RegisteredSchemes.schemes(of: DesktopEntry(entry)) == ["msauth.com.contoso.app"])
        #expect(RegisteredSchemes.schemes(of: DesktopEntry(entry + "\n[Desktop Entry]\nHidden=true")).isEmpty)
    }

    @Test func `the entry in the user's folder hides the system's`() throws {
        try withTemporaryDirectory { home in
            for (folder, scheme) in [("user", "one"), ("system", "two")] {
                let applications = home.appending(path: "\(folder)/applications")
                try FileManager.default.createDirectory(at: applications, withIntermediateDirectories: true)
                try "[Desktop Entry]\nMimeType=x-scheme-handler/\(scheme);\n".write(
                    to: applications.appending(path: "com.contoso.app.desktop"),
                    atomically: true,
                    encoding: .utf8
                )
            }

            let schemes = RegisteredSchemes.scan(
                applicationID: "com.contoso.app",
                environment: [
                    "XDG_DATA_HOME": home.appending(path: "user").path(),
                    "XDG_DATA_DIRS": home.appending(path: "system").path(),
                ]
            )

            #expect(schemes == ["one"])
        }
    }

    @Test func `a name that is not an application ID is skipped`() {
        let name = RegisteredSchemes.applicationID(
            configured: "../../etc",
            bundleIdentifier: nil,
            environment: ["FLATPAK_ID": "com.contoso.app"]
        )

        #expect(name == "com.contoso.app")
    }
}
