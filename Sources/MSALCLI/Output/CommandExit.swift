// Licensed under the MIT License. See LICENSE.

/// The exit status of the command. The numbers are part of the command's interface.
enum CommandExit: Int32, CaseIterable {
    case done = 0
    case failed = 1
    case usage = 2
    case interactionRequired = 3
    case notSignedIn = 4
    case network = 5
    case store = 6
    case canceled = 130

    /// The meaning in a few words, for the help.
    var meaning: String {
        switch self {
        case .done: "done"
        case .failed: "failed; see the message"
        case .usage: "invalid arguments or settings, or several matching accounts"
        case .interactionRequired: "the user must sign in again: msal login"
        case .notSignedIn: "not signed in, or not with the requested account"
        case .network: "no response: name, connection, proxy or certificate"
        case .store: "the token store cannot be used, or the sign-in was not stored"
        case .canceled: "canceled by Ctrl-C or in the browser, or timed out"
        }
    }

    /// One line for each status.
    static var table: [String] {
        allCases.map { status in
            let number = String(status.rawValue)
            return number + String(repeating: " ", count: 5 - number.count) + status.meaning
        }
    }
}
