// Licensed under the MIT License. See LICENSE.

/// The remedies that several similar failures share. Every other remedy is next to its message.
enum Remedy {
    static let attributes = "Correct it in --attribute or in the answers."
    static let browser = "Pass --browser, or run: msal login"
    static let consent = "Pass --yes."
    static let graphPath = "Pass a path such as /me."
    static let machine = "Run: msal doctor"
    static let settings = "See the example in: msal --help"
    static let signIn = "Sign in: msal login"
    static let store = "Run: msal cache doctor"
}
