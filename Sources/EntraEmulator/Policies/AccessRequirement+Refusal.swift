// Licensed under the MIT License. See LICENSE.

extension AccessRequirement {
    /// The error for a token request that does not satisfy the policies.
    ///
    /// Native authentication has different errors for a second factor, whose suberror announces a continuation token.
    /// There is no such token here, so the suberror is omitted.
    func refusal(of entitlement: Entitlement) -> EntraError {
        guard entitlement.isNative == true else { return error }
        var native: EntraError
        switch kind {
        case .secondFactor: native = .secondFactorRequired
        case .registration: native = .registrationRequired
        case .blocked, .assignment, .managedDevice, .recentSignIn, .newPassword, .termsOfUse: return error
        }
        native.suberror = nil
        return native
    }
}

extension EntraError {
    /// The error for a missing requirement.
    ///
    /// `policies`: Their IDs for `claims`, which an app includes in its next authorization request.
    static func refusal(of kind: AccessRequirement.Kind, to request: AccessRequest, policies: [String]) -> EntraError {
        switch kind {
        case .blocked: blockedByPolicy.naming(policies)
        case .assignment: notAssigned(request.user.userPrincipalName, clientID: request.client.clientID)
        case .managedDevice: deviceNeeded.naming(policies)
        case .recentSignIn: recentSignInNeeded
        case .secondFactor: secondFactorInteraction.naming(policies)
        case .registration: registrationInteraction.naming(policies)
        case .newPassword: policies.isEmpty ? passwordChangeRequired : passwordChangeByPolicy.naming(policies)
        case .termsOfUse: termsOfUseNeeded.naming(policies)
        }
    }

    /// The error of policies that block.
    static func refusal(_ refusal: EmulatorDirectory.AccessPolicy.Refusal, by policies: [String]) -> EntraError {
        switch refusal {
        case .strongAuthenticationFailed: strongAuthenticationFailed.naming(policies)
        // A new sign-in with claims would not help.
        case .passwordRegistrationRequired: passwordRegistrationNeeded
        case .accessConditionFailed: accessConditionFailed.naming(policies)
        case .deviceNotCompliant: deviceNotCompliant.naming(policies)
        case .deviceNotJoined: deviceNotJoined.naming(policies)
        case .blocked: blockedByPolicy.naming(policies)
        case .deviceNotManaged: deviceNotManaged.naming(policies)
        }
    }
}
