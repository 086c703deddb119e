// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import MSAL

/// The flags that choose how a user signs in.
struct SignInModeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Use only this sign-in mode.",
            discussion: "paste: a browser on another machine, whose final address is pasted here. broker: the "
                + "device's sign-in.",
            valueName: "mode"
        )
    )
    var mode: SignInModeChoice?

    @Flag(help: "Show a code to enter in a browser on another machine; same as --mode device-code.")
    var useDeviceCode = false

    @Flag(name: .customLong("no-browser"), help: "Do not start a browser; show the address to open.")
    var staysOutOfBrowser = false

    @OptionGroup var input: InputOptions

    /// The user's choice; `nil` leaves the choice to the library.
    var choice: SignInModeChoice? { useDeviceCode ? .deviceCode : mode }

    func validate() throws {
        guard !useDeviceCode || mode == nil || mode == .deviceCode else {
            throw ValidationError("--use-device-code and --mode cannot be used together.")
        }
        guard !staysOutOfBrowser || choice == nil || choice == .browser else {
            throw ValidationError("--no-browser is for the sign-in mode browser.")
        }
        guard !input.noInput || choice != .paste else {
            throw ValidationError("--mode paste prompts at the terminal, which --no-input forbids.")
        }
    }
}

/// A sign-in mode that the user selects.
enum SignInModeChoice: String, CaseIterable, ExpressibleByArgument {
    case broker, browser, paste
    case deviceCode = "device-code"

    /// The library's sign-in modes for this choice. The library uses the mode that suits the redirect URI.
    var modes: [MSALSignInMode] {
        switch self {
        case .broker: [.broker]
        case .browser: [.browser, .appRedirect]
        case .paste: [.paste]
        case .deviceCode: [.deviceCode]
        }
    }
}
