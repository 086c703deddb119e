// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import MSAL

/// `msal git-credential`
struct GitCredentialCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "git-credential",
        _superCommandName: "msal",
        abstract: "Provide git with a token for Azure DevOps.",
        usage: "msal git-credential <action> [options]",
        discussion: """
            A credential helper for git, for https://dev.azure.com and hosts under visualstudio.com. get prints a \
            token; store and erase do nothing, because msal stores the tokens. The command never prompts: if a sign-in \
            is needed, git shows the command to run.

            The account is the user name in the address if it contains an @, or the one in --account, or the active \
            account, whose name is written to standard error.

            EXAMPLES
              git config --global credential.https://dev.azure.com.helper \\
                '!msal git-credential'
              msal login --scope 499b84ac-1321-427f-aa17-267ca6975798/.default
              git clone https://dev.azure.com/contoso/project/_git/project
            """
    )

    @Argument(help: "The action: get, store or erase.")
    var action: String

    @OptionGroup var client: ClientOptions

    @Option(help: AccountOptions.help, completion: AccountOptions.completion)
    var account: String?

    func run() async throws {
        // git requires that a helper ignores unknown operations.
        guard action == "get" else { return }
        let input = HelperInput.read(endsAtEmptyLine: true)
        let request = GitRequest(input.bytes, isWhole: input.isWhole)
        do {
            guard try request.isAnswered() else { return }
            let account = account ?? request.account
            let result = try await HelperToken(client: client, scope: GitRequest.scope, account: account).result()
            let credential = try request.credential(
                PrivateText(result.accessToken),
                accountName: AccountChoice.label(result.account),
                expiresOn: result.expiresOn
            )
            try Terminal.output.result { (output) throws(OutputError) in try output.deliver(raw: Data(credential.utf8))
            }
        } catch {
            // Without this line git would ask the person for a password, which Azure DevOps does not have.
            try Terminal.output.result { (output) throws(OutputError) in
                try output.deliver(raw: Data(GitRequest.end.utf8))
            }
            throw error
        }
    }
}
