// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import MSAL

/// `msal native sign-up`
struct NativeSignUpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-up",
        abstract: "Make an account for a customer.",
        discussion: """
            A code goes to the address; then the service asks for a password and for attributes, as the tenant's user \
            flow wants it. The new user is signed in at the end.

            EXAMPLES
              msal native sign-up megan@contoso.example
              msal native sign-up megan@contoso.example --attribute displayName=Megan --no-sign-in
            """
    )

    @OptionGroup var native: NativeOptions
    @OptionGroup var client: ClientOptions
    @OptionGroup var scopes: ScopeOptions
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("An attribute of the user; may be repeated.", valueName: "name=value"))
    var attribute: [String] = []

    @Flag(name: .customLong("no-sign-in"), help: "Only make the account.")
    var staysSignedOut = false

    func validate() throws {
        _ = try attributes()
    }

    func run() async throws {
        let attributes = try attributes()
        let (staysSignedOut, scopes) = (staysSignedOut, scopes.scope)
        let account = try await native.conversation(client, scopes) { conversation -> AccountMembers? in
            let next = try await conversation.signUp(attributes: attributes)
            return staysSignedOut ? nil : try await conversation.signIn(after: next)
        }
        output.show(NativeReport(outcome: .signedUp, username: native.user, account: account))
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

extension NativeConversation {
    /// Signs in whoever has just signed up or changed the password, without asking for what was just given.
    ///
    /// - Parameter next: `nil` if the browser did so already.
    /// - Returns: Who is signed in.
    /// - Throws: As `signIn()`.
    func signIn(after next: MSALNativeAuthFollowingSignIn?) async throws -> AccountMembers? {
        guard let next else { return application.getNativeAuthUserAccount().map { AccountMembers($0.account) } }
        do {
            return AccountMembers(try await follow(try await next.signIn(scopes: scopes)).account)
        } catch let error as MSALNativeAuthFlowError where error.reason == .general {
            // A second factor cannot be asked for in this way of signing in; the usual way can.
            interviewer.tell("Signing in as usual: \(error.advice)")
            return AccountMembers(try await signIn().account)
        }
    }
}
