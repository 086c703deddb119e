// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

// The code of docs/NativeAuth.md, unchanged: a test compares the two, so what the guide shows compiles. Other tests
// run the flows against a scripted service.

/// The app's own interface: a terminal, a window, a test.
protocol Form: Sendable {
    func ask(_ question: String) async throws -> String
    func tell(_ text: String) async
}

func makeApplication(clientID: String) throws -> MSALNativeAuthPublicClientApplication {
    let configuration = try MSALNativeAuthPublicClientApplicationConfig(
        clientId: clientID,
        tenantSubdomain: "contoso",
        challengeTypes: [.OOB, .password]
    )
    configuration.capabilities = [.mfaRequired, .registrationRequired]
    return try MSALNativeAuthPublicClientApplication(nativeAuthConfiguration: configuration)
}

func signIn(
    _ application: MSALNativeAuthPublicClientApplication,
    form: some Form
) async throws -> MSALNativeAuthUserAccountResult {
    let parameters = MSALNativeAuthSignInParameters(username: try await form.ask("E-mail address"))
    return try await finish(application.signIn(parameters: parameters), form: form)
}

func finish(
    _ first: MSALNativeAuthSignInStep,
    form: some Form
) async throws -> MSALNativeAuthUserAccountResult {
    var step = first
    while true {
        do {
            switch step {
            case .codeRequired(let code):
                step = try await code.submit(code: form.ask("Code sent to \(code.delivery.sentTo)"))
            case .passwordRequired(let password):
                step = try await password.submit(password: form.ask("Password"))
            case .mfaRequired(let mfa):
                step = try await mfa.requestChallenge(authMethod: choose(from: mfa.authMethods, form: form))
            case .mfaCodeRequired(let code):
                step = try await code.submit(challenge: form.ask("Code sent to \(code.delivery.sentTo)"))
            case .registrationRequired(let registration):
                step = try await registration.challengeAuthMethod(
                    choose(from: registration.authMethods, form: form),
                    verificationContact: form.ask("Address for codes")
                )
            case .registrationCodeRequired(let code):
                step = try await code.submit(challenge: form.ask("Code sent to \(code.delivery.sentTo)"))
            case .browserRequired(let handover):
                await form.tell("Going on in the browser.")
                return try await handover.signIn()
            case .completed(let user):
                return user
            }
        } catch let error as MSALNativeAuthStepError where error.canRetry {
            await form.tell(error.localizedDescription)  // The state is as it was: ask again.
        }
    }
}

func choose(from methods: [MSALAuthMethod], form: some Form) async throws -> MSALAuthMethod {
    while true {
        let names = methods.map { method in
            guard let hint = method.loginHint, !hint.isEmpty else { return method.channelTargetType.value }
            return hint
        }
        let answer = try await form.ask("Which one: \(names.joined(separator: ", "))?")
        if let index = names.firstIndex(of: answer) { return methods[index] }
    }
}

func signUp(
    _ application: MSALNativeAuthPublicClientApplication,
    form: some Form
) async throws -> MSALNativeAuthUserAccountResult {
    let parameters = MSALNativeAuthSignUpParameters(username: try await form.ask("E-mail address"))
    parameters.attributes = ["displayName": try await form.ask("Name")]
    var step = try await application.signUp(parameters: parameters)
    while true {
        do {
            switch step {
            case .codeRequired(let code):
                step = try await code.submit(code: form.ask("Code sent to \(code.delivery.sentTo)"))
            case .passwordRequired(let password):
                step = try await password.submit(password: form.ask("New password"))
            case .attributesRequired(let required):
                step = try await required.submit(attributes: answers(to: required.attributes, form: form))
            case .attributesInvalid(let refused):
                await form.tell("Not accepted: \(refused.names.joined(separator: ", "))")
                guard let retry = refused.retry else { return try await signUp(application, form: form) }
                step = .attributesRequired(retry)
            case .browserRequired(let handover):
                await form.tell("Going on in the browser.")
                return try await handover.signIn()
            case .completed(let account):
                return try await finish(account.signIn(), form: form)
            }
        } catch let error as MSALNativeAuthStepError where error.canRetry {
            await form.tell(error.localizedDescription)
        }
    }
}

func answers(to attributes: [MSALNativeAuthRequiredAttribute], form: some Form) async throws -> [String: String] {
    var answers: [String: String] = [:]
    for attribute in attributes { answers[attribute.name] = try await form.ask(attribute.name) }
    return answers
}

func resetPassword(
    _ application: MSALNativeAuthPublicClientApplication,
    form: some Form
) async throws -> MSALNativeAuthUserAccountResult {
    let parameters = MSALNativeAuthResetPasswordParameters(username: try await form.ask("E-mail address"))
    var step = try await application.resetPassword(parameters: parameters)
    while true {
        do {
            switch step {
            case .codeRequired(let code):
                step = try await code.submit(code: form.ask("Code sent to \(code.delivery.sentTo)"))
            case .passwordRequired(let password):
                step = try await password.submit(password: form.ask("New password"))
            case .browserRequired(let handover):
                await form.tell("Going on in the browser.")
                return try await handover.signIn()
            case .completed(let account):
                return try await finish(account.signIn(), form: form)
            }
        } catch let error as MSALNativeAuthStepError where error.canRetry {
            await form.tell(error.localizedDescription)
        }
    }
}

func tokens(of user: MSALNativeAuthUserAccountResult) async throws -> (toDo: String, mail: String) {
    let toDo = try await user.getAccessToken(scopes: ["api://todo/ToDo.Read", "api://todo/ToDo.Write"])
    let mail = try await user.getAccessToken(scopes: ["api://mail/Mail.Read"])
    return (toDo.accessToken, mail.accessToken)
}

func signInAgain(
    _ application: MSALNativeAuthPublicClientApplication,
    form: some Form
) async throws -> MSALNativeAuthUserAccountResult {
    guard let user = application.getNativeAuthUserAccount() else { return try await signIn(application, form: form) }
    do {
        _ = try await user.getAccessToken(scopes: ["api://todo/ToDo.Read"])
        return user
    } catch {
        switch error.reason {
        case .signInRequired: return try await signIn(application, form: form)
        case .serviceUnavailable: return user  // Stored tokens still work; try again later.
        default: throw error
        }
    }
}

func greet(_ application: MSALNativeAuthPublicClientApplication) async {
    let parameters = MSALNativeAuthSignInParameters(username: "lee@contoso.com")
    do {
        _ = try await application.signIn(parameters: parameters)
    } catch {
        switch error.reason {
        case .canceled: break
        case .userNotFound: print("No account has that address. Sign up?")
        case .invalidUsername, .invalidCredentials: print("Please try again.")
        case .serviceUnavailable: print("The service does not answer. Is there a network?")
        default:
            print(error.localizedDescription)
            print(error.serverError?.suberror ?? "", error.errorCodes, error.correlationId)
        }
    }
}

func signInV2(
    _ application: MSALNativeAuthPublicClientApplication,
    form: some Form
) async throws -> MSALNativeAuthUserAccountResult {
    let parameters = MSALNativeAuthSignInParametersV2(username: try await form.ask("E-mail address"))
    return try await finish(application.signInV2(parameters: parameters), form: form)
}

func signUpV2(
    _ application: MSALNativeAuthPublicClientApplication,
    form: some Form
) async throws -> MSALNativeAuthUserAccountResult {
    let parameters = MSALNativeAuthSignUpParametersV2(username: try await form.ask("E-mail address"))
    parameters.attributes = ["displayName": try await form.ask("Name")]
    return try await finish(application.signUpV2(parameters: parameters), form: form)
}

func resetPasswordV2(
    _ application: MSALNativeAuthPublicClientApplication,
    form: some Form
) async throws -> MSALNativeAuthUserAccountResult {
    let parameters = MSALNativeAuthResetPasswordParametersV2(username: try await form.ask("E-mail address"))
    return try await finish(application.resetPasswordV2(parameters: parameters), form: form)
}

func finish(
    _ first: MSALNativeAuthFlowStep,
    form: some Form
) async throws -> MSALNativeAuthUserAccountResult {
    var step = first
    while true {
        do {
            switch step {
            case .codeRequired(let code):
                step = try await code.submit(code: form.ask("Code sent to \(code.delivery.sentTo)"))
            case .passwordRequired(let password):
                step = try await password.submit(password: form.ask("Password"))
            case .newPasswordRequired(let password):
                step = try await password.submit(newPassword: form.ask("New password"))
            case .attributesRequired(let required):
                step = try await required.submit(attributes: answers(to: required.attributes, form: form))
            case .authMethodSelectionRequired(let selection):
                step = try await selection.select(choose(from: selection.authMethods, form: form))
            case .mfaCodeRequired(let code):
                step = try await code.submit(challenge: form.ask("Code sent to \(code.delivery.sentTo)"))
            case .registrationRequired(let registration):
                step = try await registration.select(
                    choose(from: registration.authMethods, form: form),
                    verificationContact: form.ask("Address for codes")
                )
            case .registrationCodeRequired(let code):
                step = try await code.submit(challenge: form.ask("Code sent to \(code.delivery.sentTo)"))
            case .signInAfterSignUp(let account), .signInAfterResetPassword(let account):
                step = try await account.signIn()
            case .browserRequired(let handover):
                await form.tell("Going on in the browser.")
                return try await handover.signIn()
            case .completed(let user):
                return user
            }
        } catch let error as MSALNativeAuthStepError where error.canRetry {
            await form.tell(error.localizedDescription)  // The state is as it was: ask again.
        }
    }
}
