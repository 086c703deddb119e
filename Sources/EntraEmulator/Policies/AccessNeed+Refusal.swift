// Licensed under the MIT License. See LICENSE.

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
}
