// Licensed under the MIT License. See LICENSE.

extension AccessNeed {
    /// The refusal of a token request that a sign-in is not enough for.
    ///
    /// Native authentication has errors of its own for a second factor. Their suberror announces a continuation token.
    /// No such token leads on from here, so the suberror is left out.
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
    /// The refusal for what is missing.
    ///
    /// `policies`: Their ids, for `claims`, which an app sends back with its next authorization request.
    static func refusal(of kind: AccessNeed.Kind, to request: AccessRequest, policies: [String]) -> EntraError {
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

    /// The refusal of policies that block.
    static func refusal(_ refusal: EmulatorDirectory.AccessPolicy.Refusal, by policies: [String]) -> EntraError {
        switch refusal {
        case .strongAuthenticationFailed: strongAuthenticationFailed.naming(policies)
        // No new sign-in with claims would help.
        case .passwordRegistrationRequired: passwordRegistrationNeeded
        case .accessConditionFailed: accessConditionFailed.naming(policies)
        case .deviceNotCompliant: deviceNotCompliant.naming(policies)
        case .deviceNotJoined: deviceNotJoined.naming(policies)
        case .blocked: blockedByPolicy.naming(policies)
        case .deviceNotManaged: deviceNotManaged.naming(policies)
        }
    }
}
