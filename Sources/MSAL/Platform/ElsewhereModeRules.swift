// Licensed under the MIT License. See LICENSE.

/// A browser on any machine. The user pastes the address on which it ended, and the listener of this machine waits
/// meanwhile: a forwarded port leads there.
package struct PasteModeRule: SignInModeRule {
    package let name = SignInMode.paste

    package func assessment(of request: SignInModeRequest, on machine: SignInEnvironment) -> SignInModeAssessment {
        guard request.canPaste else { return .impossible("the app has no prompt for an address") }
        if case .scheme(let scheme) = request.redirect {
            return .impossible("browsers do not show the address of a redirect to \(scheme)")
        }
        return .good("a browser on any machine will do; its last address is pasted here")
    }
}

/// A browser on any machine, in which the user types a code (RFC 8628). Many tenants block it.
package struct DeviceCodeModeRule: SignInModeRule {
    package let name = SignInMode.deviceCode

    package func assessment(of request: SignInModeRequest, on machine: SignInEnvironment) -> SignInModeAssessment {
        guard request.showsDeviceCode else { return .impossible("the app shows no code") }
        guard !request.hasUserFlows else {
            return .impossible("the user flows of this authority have no device codes")
        }
        return .good("a browser on any machine will do; a code is typed there, unless the tenant blocks it")
    }
}
