// Licensed under the MIT License. See LICENSE.

import ArgumentParser

/// `msal native`, the commands of native authentication.
struct NativeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "native",
        abstract: "Sign customers up and in without a browser (External ID).",
        discussion: """
            The authority is an External ID tenant, https://NAME.ciamlogin.com, and the app must be registered for \
            native authentication. Passwords are typed unseen and codes are asked for; nothing secret stands on the \
            command line.

            EXAMPLES
              msal native sign-up megan@contoso.example
              msal native sign-in megan@contoso.example
              msal native token --scope api://…/ToDoList.Read -o raw
              msal native reset-password megan@contoso.example

            WITHOUT A TERMINAL
            --answers names a JSON file, or - for standard input, with what would be asked:

                {"password": "…", "code_command": ["./newest-code"]}

              password       the password of a sign-in
              new_password   the password of a sign-up or a reset
              code           a code that is known before
              code_command   a program that prints the code
              attributes     values by name, for a sign-up
              method         email, sms, or a method's id
              contact        the address or number to register
            A list of texts gives an answer for each time that the question is put. The program finds \
            MSAL_CODE_SENT_TO and MSAL_CODE_CHANNEL in its environment.
            """,
        subcommands: [
            NativeSignInCommand.self,
            NativeSignUpCommand.self,
            NativeResetPasswordCommand.self,
            NativeTokenCommand.self,
        ]
    )
}
