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
        case .failed: "failed; the message tells why"
        case .usage: "wrong arguments or settings, or several accounts to choose from"
        case .interactionRequired: "the user has to sign in again: msal login"
        case .notSignedIn: "nobody is signed in, or not the account asked for"
        case .network: "no answer: name, connection, proxy or certificate"
        case .store: "the token store cannot be used, or did not take the sign-in"
        case .canceled: "cancelled, by Ctrl-C, in the browser, or because time was up"
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
