// Licensed under the MIT License. See LICENSE.

import ArgumentParser

/// `msal native`, the commands of native authentication.
struct NativeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "native",
        abstract: "Sign customers up and in without a browser (External ID).",
        discussion: """
            The authority is an External ID tenant, https://NAME.ciamlogin.com, and the app must be registered for \
            native authentication. Passwords and codes are prompted for, passwords without echo, so no secret is on \
            the command line.

            EXAMPLES
              msal native sign-up megan@contoso.example
              msal native sign-in megan@contoso.example
              msal native token --scope api://…/ToDoList.Read -o raw
              msal native reset-password megan@contoso.example

            WITHOUT A TERMINAL
            --answers takes a JSON file, or - for standard input, with the answers to the prompts:

                {"password": "…", "code_command": ["./newest-code"]}

              password       the password of a sign-in
              new_password   the password of a sign-up or a reset
              code           a code that is known in advance
              code_command   a program that prints the code
              attributes     values by name, for a sign-up
              method         email, sms, or a method's id
              contact        the address or number to register
            A list of strings has one answer for each time that the question is asked. The program can read \
            MSAL_CODE_SENT_TO and MSAL_CODE_CHANNEL from its environment.
            """,
        subcommands: [
            NativeSignInCommand.self,
            NativeSignUpCommand.self,
            NativeResetPasswordCommand.self,
            NativeTokenCommand.self,
        ]
    )
}
