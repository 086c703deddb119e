// Licensed under the MIT License. See LICENSE.

import MSAL

/// A native sign-in: a loop over the steps that the service requires.
struct SignIn {
    let application: MSALNativeAuthPublicClientApplication

    func run() async throws -> MSALNativeAuthUserAccountResult {
        let parameters = MSALNativeAuthSignInParameters(username: try Terminal.ask("Email address: "))
        var step = try await application.signIn(parameters: parameters)
        while true {
            do {
                // The compiler checks that every step is handled.
                switch step {
                case .completed(let user):
                    return user
                case .passwordRequired(let next):
                    step = try await next.submit(password: try Terminal.askUnseen("Password: "))
                case .codeRequired(let next):
                    let code = try Terminal.askForCode(next.delivery)
                    step = code.isEmpty ? try await next.resendCode() : try await next.submit(code: code)
                case .mfaRequired(let next):
                    step = try await next.requestChallenge(authMethod: try Terminal.choose(next.authMethods))
                case .mfaCodeRequired(let next):
                    let code = try Terminal.askForCode(next.delivery)
                    step =
                        code.isEmpty
                        ? try await next.requestChallenge(authMethod: try Terminal.choose(next.authMethods))
                        : try await next.submit(challenge: code)
                case .registrationRequired(let next):
                    let method = try Terminal.choose(next.authMethods)
                    let contact = try Terminal.ask("Address or number to register: ")
                    step = try await next.challengeAuthMethod(method, verificationContact: contact)
                case .registrationCodeRequired(let next):
                    let code = try Terminal.askForCode(next.delivery)
                    guard code.isEmpty else {
                        step = try await next.submit(challenge: code)
                        break
                    }
                    let contact = try Terminal.ask("Address or number to register: ")
                    step = try await next.challengeAuthMethod(
                        try Terminal.choose(next.authMethods),
                        verificationContact: contact
                    )
                case .browserRequired(let handover):
                    print("The service requires the browser: \(handover.reason)")
                    return try await handover.signIn()
                }
            } catch let error as MSALNativeAuthStepError where error.canRetry {
                print(error.localizedDescription)  // The step is unchanged, so the same prompt follows.
            }
        }
    }
}
