// Licensed under the MIT License. See LICENSE.

import Foundation
public import MSAL

/// The common parts of the programs in the form of ported apps: the emulator's addresses and the report at the end.
///
/// `scripts/ported-apps` starts the emulator and the programs, and passes the addresses in the environment.
public enum Bench {
    /// The emulator's public client, with a separate store for the program.
    public static func configuration() throws -> MSALPublicClientApplicationConfig {
        let configuration = MSALPublicClientApplicationConfig(
            clientId: "00000000-0000-4000-8000-000000000001",
            redirectUri: nil,
            authority: try MSALAADAuthority(url: url("\(base)/contoso.example"))
        )
        configuration.caFile = URL(filePath: value("MSAL_CA_FILE"))
        return configuration
    }

    /// An application of the emulator's public client.
    public static func application() throws -> MSALPublicClientApplication {
        try MSALPublicClientApplication(configuration: configuration())
    }

    /// An application of the emulator's External ID tenant.
    public static func nativeApplication(
        clientID: String = "00000000-0000-4000-8000-000000000001"
    ) throws -> MSALNativeAuthPublicClientApplication {
        let configuration = MSALNativeAuthPublicClientApplicationConfig(
            clientId: clientID,
            authority: try MSALCIAMAuthority(
                url: url("\(base.replacing("localhost", with: "127.0.0.1"))/fabrikam.onmicrosoft.com")
            ),
            challengeTypes: [.OOB, .password]
        )
        configuration.capabilities = [.mfaRequired, .registrationRequired]
        configuration.caFile = URL(filePath: value("MSAL_CA_FILE"))
        return try MSALNativeAuthPublicClientApplication(nativeAuthConfiguration: configuration)
    }

    /// The requested scopes.
    public static let scopes = ["User.Read"]
    /// The user.
    public static let user = "megan@contoso.example"

    /// The latest code that the emulator sent to an address.
    ///
    /// Does not use `Process`, whose `waitUntilExit` would run the main loop inside the calling delegate method.
    public static func code(sentTo address: String) -> String {
        let words = ["python3", value("PORTED_OUTBOX")] + outbox + [address]
        guard let output = popen(words.map { "'\($0)'" }.joined(separator: " "), "r") else {
            fail("the outbox cannot be read")
        }
        defer { pclose(output) }
        var line = [CChar](repeating: 0, count: 64)
        guard fgets(&line, CInt(line.count), output) != nil else { fail("nothing was sent to \(address)") }
        return String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Ends the program successfully.
    public static func pass() -> Never {
        print("ok")
        exit(0)
    }

    /// Ends the program with a failure.
    public static func fail(_ reason: String, line: UInt = #line) -> Never {
        print("line \(line): \(reason)")
        exit(1)
    }

    /// Fails the program unless a condition holds.
    public static func expect(_ isTrue: Bool, _ reason: String, line: UInt = #line) {
        if !isTrue { fail(reason, line: line) }
    }

    /// Fails a call that did not return what it should.
    public static func expect(_ error: (any Error)?, line: UInt = #line) {
        if let error = error as NSError? {
            fail("\(error.domain) \(error.code): \(error.userInfo[MSALErrorDescriptionKey] ?? "")", line: line)
        }
    }

    private static var base: String { value("PORTED_EMULATOR") }
    private static var outbox: [String] { ["PORTED_CONSOLE", "PORTED_CONTROL_TOKEN", "MSAL_CA_FILE"].map(value) }

    private static func value(_ name: String) -> String {
        ProcessInfo.processInfo.environment[name] ?? ""
    }

    private static func url(_ text: String) throws -> URL {
        guard let url = URL(string: text) else { fail("\(text) is not a URL") }
        return url
    }
}
