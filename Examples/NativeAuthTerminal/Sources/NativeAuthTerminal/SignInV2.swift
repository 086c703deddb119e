// Licensed under the MIT License. See LICENSE.

import MSAL

/// The same sign-in with version 2, in which all flows have the same steps.
struct SignInV2 {
    let application: MSALNativeAuthPublicClientApplication

    func run() async throws -> MSALNativeAuthUserAccountResult {
        let parameters = MSALNativeAuthSignInParametersV2(username: try Terminal.ask("Email address: "))
        var step = try await application.signInV2(parameters: parameters)
        while true {
            do {
                // The compiler checks that every step is handled.
                switch step {
                case .completed(let user):
                    return user
                case .passwordRequired(let next):
                    step = try await next.submit(password: try Terminal.askUnseen("Password: "))
                case .newPasswordRequired(let next):
                    step = try await next.submit(newPassword: try Terminal.askUnseen("New password: "))
                case .codeRequired(let next):
                    let code = try Terminal.askForCode(next.delivery)
                    step = code.isEmpty ? try await next.resendCode() : try await next.submit(code: code)
                case .authMethodSelectionRequired(let next):
                    step = try await next.select(try Terminal.choose(next.authMethods))
                case .mfaCodeRequired(let next):
                    let code = try Terminal.askForCode(next.delivery)
                    step = code.isEmpty ? try await next.resendChallenge() : try await next.submit(challenge: code)
                case .registrationRequired(let next):
                    let method = try Terminal.choose(next.authMethods)
                    let contact = try Terminal.ask("Address or number to register: ")
                    step = try await next.select(method, verificationContact: contact)
                case .registrationCodeRequired(let next):
                    let code = try Terminal.askForCode(next.delivery)
                    step = code.isEmpty ? try await next.resendChallenge() : try await next.submit(challenge: code)
                case .attributesRequired(let next):
                    var values: [String: String] = [:]
                    for attribute in next.attributes {
                        values[attribute.name] = try Terminal.ask("\(attribute.name): ")
                    }
                    step = try await next.submit(attributes: values)
                case .signInAfterSignUp(let next), .signInAfterResetPassword(let next):
                    step = try await next.signIn()
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
