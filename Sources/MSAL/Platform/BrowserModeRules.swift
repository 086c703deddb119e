// Licensed under the MIT License. See LICENSE.

/// The browser of this machine. The redirect comes to a port of this machine (RFC 8252 §7.3).
package struct LoopbackBrowserModeRule: SignInModeRule {
    package let name = SignInMode.browser

    package func assessment(of request: SignInModeRequest, on machine: SignInEnvironment) -> SignInModeAssessment {
        switch request.redirect {
        case .loopback: machine.browserAssessment(of: request)
        case .scheme, .web: .impossible("the redirect URI does not lead to a port of this machine")
        }
    }
}

/// The browser of this machine. The redirect comes by a scheme of the app's own (RFC 8252 §7.1), or the app receives it
/// at an https address (RFC 8252 §7.2).
package struct AppRedirectModeRule: SignInModeRule {
    package let name = SignInMode.appRedirect

    package func assessment(of request: SignInModeRequest, on machine: SignInEnvironment) -> SignInModeAssessment {
        switch request.redirect {
        case .loopback: .impossible("the redirect URI leads to a port of this machine")
        case .scheme, .web: machine.browserAssessment(of: request)
        }
    }
}

extension SignInEnvironment {
    fileprivate func browserAssessment(of request: SignInModeRequest) -> SignInModeAssessment {
        if request.opensNoBrowser {
            guard request.showsAddress else { return .impossible("the app starts no browser and shows no address") }
            return .lastResort("the app starts no browser; it waits for you to open the address on this machine")
        }
        if let launcher = launchers.first {
            let program = launcher == "portal" ? "the desktop portal" : launcher
            return .good("\(program) opens a browser here")
        }
        let reason = "nothing here opens a browser: \(missing)"
        guard request.showsAddress else { return .impossible("\(reason), and the app shows no address") }
        // A job would wait in vain. An app that specifies its sign-in modes expects a user.
        guard isAttended || request.forced != nil else {
            return .impossible("\(reason), and no user can open the address: \(absence)")
        }
        return .lastResort("\(reason); it waits for you to open the address on this machine")
    }

    private var absence: String { isAutomatic ? "an automatic build runs the program" : "there is no terminal" }

    /// The reason why no program opens a browser. With a display there is always one that was looked for.
    private var missing: String {
        guard !missingLaunchers.isEmpty else { return "no display, and BROWSER names no program" }
        return (missingLaunchers + (hasDisplay ? [] : ["display"])).map { "no \($0)" }.joined(separator: ", ")
    }
}
