// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import MSAL

/// The flags that choose how a person signs in.
struct WayOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Use this way only.",
            discussion: "paste: a browser elsewhere, whose last address is pasted here. broker: the device's sign-in.",
            valueName: "way"
        )
    )
    var way: WayChoice?

    @Flag(help: "Show a code to type in a browser elsewhere; the same as --way device-code.")
    var useDeviceCode = false

    @Flag(name: .customLong("no-browser"), help: "Start no browser: show the address to open.")
    var staysOutOfBrowser = false

    @OptionGroup var input: InputOptions

    /// The user's choice; `nil` leaves the choice to the library.
    var choice: WayChoice? { useDeviceCode ? .deviceCode : way }

    func validate() throws {
        guard !useDeviceCode || way == nil || way == .deviceCode else {
            throw ValidationError("--use-device-code and --way exclude each other.")
        }
        guard !staysOutOfBrowser || choice == nil || choice == .browser else {
            throw ValidationError("--no-browser is for the way browser.")
        }
        guard !input.noInput || choice != .paste else {
            throw ValidationError("--way paste asks at the terminal, which --no-input forbids.")
        }
    }
}

/// A way to sign in that the user names.
enum WayChoice: String, CaseIterable, ExpressibleByArgument {
    case broker, browser, paste
    case deviceCode = "device-code"

    /// The library's ways for this choice. The library uses the one that suits the redirect URI.
    var ways: [MSALSignInWay] {
        switch self {
        case .broker: [.broker]
        case .browser: [.browser, .appRedirect]
        case .paste: [.paste]
        case .deviceCode: [.deviceCode]
        }
    }
}
