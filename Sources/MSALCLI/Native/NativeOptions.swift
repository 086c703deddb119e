// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import MSAL

/// The options of all commands that ask questions.
struct NativeOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The user's e-mail address.", valueName: "user"))
    var user: String

    @Option(
        help: ArgumentHelp(
            "A JSON file with the answers, or - for standard input; see: msal native --help",
            valueName: "file"
        ),
        completion: .file(extensions: ["json"])
    )
    var answers: String?

    @Flag(help: "Continue in the browser if the service requires it.")
    var browser = false

    @Flag(help: "Use version 2 of native authentication, which is in preview.")
    var v2 = false

    @OptionGroup var redirect: RedirectOptions

    @OptionGroup var input: InputOptions

    @Flag(help: "Sign out other users without asking.")
    var yes = false

    /// The interviewer that gets the questions. `line` shows what the command waits for between them.
    ///
    /// - Throws: `Failure` with the status `usage` if there is neither a terminal nor a sheet.
    func prompter(_ line: WaitLine) throws(Failure) -> any Prompter {
        if let answers { return AnswerFilePrompter(try AnswerFile.read(answers), line: line) }
        guard input.canAsk else {
            throw .usage(
                input.noInput
                    ? "This command has to prompt, and --no-input forbids that."
                    : "Cannot prompt: there is no terminal.",
                remedy: "Pass the answers in a file with --answers. See: msal native --help"
            )
        }
        return TerminalPrompter(line: line)
    }
}

extension Settings {
    /// Makes the library's application object for native authentication, with the command's own store.
    ///
    /// - Parameter mayAskToUnlock: Whether the desktop may ask for the password of a locked keyring.
    /// - Returns: The application object.
    /// - Throws: `Failure` with the status `usage` without an External ID authority; `NSError` from the library.
    func nativeApplication(mayAskToUnlock: Bool = false) throws -> MSALNativeAuthPublicClientApplication {
        let configuration = try nativeConfiguration()
        configuration.cacheConfig.allowsUnlockPrompt = mayAskToUnlock
        return try checkingRedirect {
            try MSALNativeAuthPublicClientApplication(nativeAuthConfiguration: configuration)
        }
    }

    /// The configuration of that application object. The browser returns to the redirect URI, for `--browser`.
    ///
    /// - Throws: As `nativeApplication()`.
    func nativeConfiguration() throws -> MSALNativeAuthPublicClientApplicationConfig {
        guard let url = authority?.url else {
            throw Failure.usage(
                "Native sign-in needs the authority of an External ID tenant.",
                remedy: "Pass --authority https://NAME.ciamlogin.com, or set MSAL_AUTHORITY or the profile's authority."
            )
        }
        guard let tenant = try? MSALCIAMAuthority(url: url) else {
            throw Failure.usage(
                "\(url.absoluteString) is not the authority of an External ID tenant.",
                remedy: """
                    Pass --authority https://NAME.ciamlogin.com, or for the emulator https://127.0.0.1:8443/TENANT; \
                    localhost is not allowed there.
                    """
            )
        }
        let configuration = MSALNativeAuthPublicClientApplicationConfig(
            clientId: clientID,
            authority: tenant,
            challengeTypes: [.OOB, .password]
        )
        configuration.capabilities = [.mfaRequired, .registrationRequired]
        configuration.redirectUri = redirectURI
        apply(to: configuration)
        return configuration
    }
}
