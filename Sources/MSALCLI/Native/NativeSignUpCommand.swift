// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import MSAL

/// `msal native sign-up`
struct NativeSignUpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-up",
        abstract: "Create an account for a customer.",
        usage: "msal native sign-up <user> [--answers <file>] [options]",
        discussion: """
            A code is sent to the address, and then the service asks for a password and attributes, as the tenant's \
            user flow requires. At the end the new user is signed in, and any other signed-in user is signed out, as \
            with msal native sign-in.

            EXAMPLES
              msal native sign-up megan@contoso.example
              msal native sign-up megan@contoso.example --attribute displayName=Megan
              msal native sign-up megan@contoso.example --no-sign-in
            """
    )

    @OptionGroup var native: NativeOptions
    @OptionGroup var client: ClientOptions
    @OptionGroup var scopes: ScopeOptions
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("An attribute of the user; may be repeated.", valueName: "name=value"))
    var attribute: [String] = []

    @Flag(name: .customLong("no-sign-in"), help: "Create the account without signing in.")
    var staysSignedOut = false

    func validate() throws { _ = try attributes() }

    func run() async throws {
        let attributes = try attributes()
        let (staysSignedOut, scopes, isV2) = (staysSignedOut, scopes.scope, native.v2)
        let user = try await native.conversation(client, scopes: scopes, staysSignedOut: staysSignedOut) {
            conversation in
            let end =
                try await isV2
                ? conversation.signUpV2(attributes: attributes) : conversation.signUp(attributes: attributes)
            return staysSignedOut ? nil : try await conversation.signIn(after: end)
        }
        let report = NativeReport(.signedUp, username: native.user, user: user)
        try await output.show(report, isPersisted: report.isPersisted ?? true)
    }

    private func attributes() throws -> [String: String] {
        var values: [String: String] = [:]
        for text in attribute {
            guard let mark = text.firstIndex(of: "="), mark != text.startIndex else {
                throw ValidationError("--attribute takes NAME=VALUE, not \(text).")
            }
            values[String(text[..<mark])] = String(text[text.index(after: mark)...])
        }
        return values
    }
}
