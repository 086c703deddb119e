// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import MSAL

/// `msal native reset-password`
struct NativeResetPasswordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset-password",
        abstract: "Reset a customer's password.",
        usage: "msal native reset-password <user> [--answers <file>] [options]",
        discussion: """
            A code is sent to the address, and then the command asks for the new password. At the end the user is \
            signed in, and any other signed-in user is signed out, as with msal native sign-in.

            EXAMPLES
              msal native reset-password megan@contoso.example
              msal native reset-password megan@contoso.example --answers - < answers.json
            """
    )

    @OptionGroup var native: NativeOptions
    @OptionGroup var client: ClientOptions
    @OptionGroup var scopes: ScopeOptions
    @OptionGroup var output: OutputOptions

    @Flag(name: .customLong("no-sign-in"), help: "Change the password without signing in.")
    var staysSignedOut = false

    func run() async throws {
        let (staysSignedOut, scopes, isV2) = (staysSignedOut, scopes.scope, native.v2)
        let user = try await native.conversation(client, scopes: scopes, staysSignedOut: staysSignedOut) {
            conversation in
            let end = try await isV2 ? conversation.resetPasswordV2() : conversation.resetPassword()
            return staysSignedOut ? nil : try await conversation.signIn(after: end)
        }
        let report = NativeReport(.passwordReset, username: native.user, user: user)
        try await output.show(report, isPersisted: report.isPersisted ?? true)
    }
}
