// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import MSAL

/// The flags that choose how a person signs in.
struct SignInModeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Use this sign-in mode only.",
            discussion: "paste: a browser elsewhere, whose last address is pasted here. broker: the device's sign-in.",
            valueName: "mode"
        )
    )
    var mode: SignInModeChoice?

    @Flag(help: "Show a code to type in a browser elsewhere; the same as --mode device-code.")
    var useDeviceCode = false

    @Flag(name: .customLong("no-browser"), help: "Start no browser: show the address to open.")
    var staysOutOfBrowser = false

    @OptionGroup var input: InputOptions

    /// The user's choice; `nil` leaves the choice to the library.
    var choice: SignInModeChoice? { useDeviceCode ? .deviceCode : mode }

    func validate() throws {
        guard !useDeviceCode || mode == nil || mode == .deviceCode else {
            throw ValidationError("--use-device-code and --mode exclude each other.")
        }
        guard !staysOutOfBrowser || choice == nil || choice == .browser else {
            throw ValidationError("--no-browser is for the mode browser.")
        }
        guard !input.noInput || choice != .paste else {
            throw ValidationError("--mode paste asks at the terminal, which --no-input forbids.")
        }
    }
}

/// A way to sign in that the user names.
enum SignInModeChoice: String, CaseIterable, ExpressibleByArgument {
    case broker, browser, paste
    case deviceCode = "device-code"

    /// The library's ways for this choice. The library uses the one that suits the redirect URI.
    var modes: [MSALSignInMode] {
        switch self {
        case .broker: [.broker]
        case .browser: [.browser, .appRedirect]
        case .paste: [.paste]
        case .deviceCode: [.deviceCode]
        }
    }
}
