// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

@testable import MSALBase

/// The arguments of a case's call, as the parameter objects of the public API.
struct CaseArguments {
    let values: [String: JSONValue]
    /// The latest list of methods, from which `methodIndex` picks.
    let authMethods: [MSALAuthMethod]

    func text(_ name: String) -> String { values[name]?.string ?? "" }

    var correlationID: UUID? { values["correlationId"]?.string.flatMap(UUID.init(uuidString:)) }
    var attributes: [String: Any]? { values["attributes"]?.object?.mapValues(\.foundationObject) }
    var scopes: [String]? { values["scopes"]?.array?.compactMap(\.string) }
    var claims: MSALClaimsRequest? {
        values["claims"]?.string.map { MSALClaimsRequest(jsonString: $0, error: nil) }
    }

    var signIn: MSALNativeAuthSignInParameters {
        let parameters = MSALNativeAuthSignInParameters(username: text("username"))
        parameters.password = values["password"]?.string
        parameters.scopes = scopes
        parameters.claimsRequest = claims
        parameters.correlationId = correlationID
        return parameters
    }

    var signUp: MSALNativeAuthSignUpParameters {
        let parameters = MSALNativeAuthSignUpParameters(username: text("username"))
        parameters.password = values["password"]?.string
        parameters.attributes = attributes
        parameters.correlationId = correlationID
        return parameters
    }

    var resetPassword: MSALNativeAuthResetPasswordParameters {
        let parameters = MSALNativeAuthResetPasswordParameters(username: text("username"))
        parameters.correlationId = correlationID
        return parameters
    }

    var signInAfterSignUp: MSALNativeAuthSignInAfterSignUpParameters {
        let parameters = MSALNativeAuthSignInAfterSignUpParameters()
        parameters.scopes = scopes
        parameters.claimsRequest = claims
        return parameters
    }

    var signInAfterResetPassword: MSALNativeAuthSignInAfterResetPasswordParameters {
        let parameters = MSALNativeAuthSignInAfterResetPasswordParameters()
        parameters.scopes = scopes
        parameters.claimsRequest = claims
        return parameters
    }

    var getAccessToken: MSALNativeAuthGetAccessTokenParameters {
        let parameters = MSALNativeAuthGetAccessTokenParameters()
        parameters.forceRefresh = values["forceRefresh"] == .bool(true)
        parameters.returnRefreshToken = values["returnRefreshToken"] == .bool(true)
        parameters.scopes = scopes
        parameters.claimsRequest = claims
        parameters.correlationId = correlationID
        return parameters
    }

    var authMethod: MSALAuthMethod {
        get throws {
            let index = values["methodIndex"]?.double.flatMap(Int.init(exactly:)) ?? 0
            guard authMethods.indices.contains(index) else { throw CaseRun.Unplayable(description: "no such method") }
            return authMethods[index]
        }
    }

    var challengeAuthMethod: MSALNativeAuthChallengeAuthMethodParameters {
        get throws {
            MSALNativeAuthChallengeAuthMethodParameters(
                authMethod: try authMethod,
                verificationContact: text("verificationContact")
            )
        }
    }
}
