// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation

/// `msal redirect register`
struct RedirectRegisterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "register",
        abstract: "Write the desktop entry for a scheme.",
        usage: "msal redirect register <id> [options]",
        discussion: """
            The entry is written to ~/.local/share/applications and made the default in ~/.config/mimeapps.list. If an \
            app installed an entry of this name, that entry becomes the default and is not changed. Also add the \
            redirect URI that is shown to the app registration.

            EXAMPLES
              msal redirect register com.contoso.app
              msal redirect register com.contoso.app --exec /opt/contoso/app --name Contoso
            """
    )

    @Argument(help: ArgumentHelp("The app's ID, such as com.contoso.app, or its redirect URI.", valueName: "id"))
    var id: String

    @Option(help: ArgumentHelp("The program that handles the redirect; msal by default.", valueName: "path"))
    var exec: String?

    @Option(help: ArgumentHelp("The name of the app; its ID by default.", valueName: "name"))
    var name: String?

    @OptionGroup var output: OutputOptions
    @OptionGroup var log: LogOptions

    func validate() throws {
        for text in [exec, name].compactMap(\.self) where text.unicodeScalars.contains(where: { $0.value < 0x20 }) {
            throw ValidationError("--exec and --name must be single lines.")
        }
        // A program's name cannot have an equal sign: the specification has no way to write it.
        if let exec, !exec.hasPrefix("/") || exec.contains("=") {
            throw ValidationError("--exec must be an absolute path without an equal sign.")
        }
    }

    func run() throws {
        let scheme = try RedirectScheme(id)
        let registration = try RedirectRegistration(scheme)
        let own = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path(percentEncoded: false)
        let program = exec.map { [$0] } ?? [own, "redirect"]
        let entry = try registration.register(program: program, name: name ?? scheme.applicationID)
        try output.show(RedirectReport(scheme: scheme.scheme, redirectURI: scheme.redirectURI, entry: entry))
    }
}

/// `msal redirect unregister`
struct RedirectUnregisterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unregister",
        abstract: "Remove the desktop entry that register wrote.",
        usage: "msal redirect unregister <id> [options]"
    )

    @Argument(help: ArgumentHelp("The app's ID, or its redirect URI.", valueName: "id"))
    var id: String

    @OptionGroup var output: OutputOptions
    @OptionGroup var log: LogOptions

    func run() throws {
        let scheme = try RedirectScheme(id)
        let registration = try RedirectRegistration(scheme)
        guard try registration.unregister() else {
            throw Failure.file("\(scheme.redirectURI) was not registered by msal.")
        }
        try output.show(RedirectReport(scheme: scheme.scheme, redirectURI: scheme.redirectURI, entry: nil))
    }
}

/// `msal redirect check`
struct RedirectCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check that redirects with a scheme reach its app.",
        usage: "msal redirect check <id> [options]",
        discussion: "The exit status is 1 if a redirect would not arrive."
    )

    @Argument(help: ArgumentHelp("The app's ID, or its redirect URI.", valueName: "id"))
    var id: String

    @OptionGroup var output: OutputOptions
    @OptionGroup var log: LogOptions

    func run() throws {
        let report = DoctorReport(checks: try RedirectRegistration(RedirectScheme(id)).checks())
        try output.show(report)
        if report.checks.contains(where: { !$0.isGood }) { throw ExitCode(CommandExit.failed.rawValue) }
    }
}

/// A scheme that was registered or unregistered.
struct RedirectReport: Report, Encodable {
    var scheme: String
    var redirectURI: String
    /// The desktop entry; `nil` if there is none any more.
    @ExplicitNull var entry: String? = nil

    private enum CodingKeys: String, CodingKey {
        case scheme
        case redirectURI = "redirectUri"
        case entry
    }

    func text(_ style: Style) -> TerminalText {
        guard let entry else { return "\(style.good("✓")) \(style.strong(scheme)) is no longer registered." }
        return """
            \(style.good("✓")) \(style.strong(scheme)) opens: \(entry)
            Register this in the portal, under
            Mobile and desktop applications:
              \(style.strong(redirectURI))
            """
    }

    var raw: String { redirectURI }
}
