// Licensed under the MIT License. See LICENSE.

/// A command-line tool that signs developers in and returns tokens for them.
public struct MSALCommandLineTool: Sendable, Hashable, CustomStringConvertible {
    enum Name: String, Sendable {
        case msal
        case az
        case azd
    }

    let name: Name

    /// `msal`, the command of this package.
    public static let msal = MSALCommandLineTool(name: .msal)
    /// `az`, the Azure CLI.
    public static let azureCLI = MSALCommandLineTool(name: .az)
    /// `azd`, the Azure Developer CLI.
    public static let azureDeveloperCLI = MSALCommandLineTool(name: .azd)

    /// The name of the program.
    public var description: String { name.rawValue }

    /// The product, for people.
    var product: String {
        switch name {
        case .msal: "the msal command"
        case .az: "the Azure CLI"
        case .azd: "the Azure Developer CLI"
        }
    }

    /// The command line with which a developer signs in.
    func signIn(tenant: String?, claims: String? = nil, scope: String? = nil) -> String {
        var words: [String]
        switch name {
        case .msal: words = ["msal", "login"]
        case .az: words = ["az", "login"]
        case .azd: words = ["azd", "auth", "login"]
        }
        if let claims { words += ["--claims-challenge", claims] }
        switch name {
        case .msal: break
        case .az:
            if let tenant { words += ["--tenant", tenant] }
            if let scope { words += ["--scope", scope] }
        case .azd: if let tenant { words += ["--tenant-id", tenant] }
        }
        return words.joined(separator: " ")
    }

    /// The advice if the program is not installed.
    var installation: String {
        switch name {
        case .msal: "Install the msal command of this package, and sign in: msal login"
        case .az: "Install the Azure CLI, and sign in: az login"
        case .azd: "Install the Azure Developer CLI, and sign in: azd auth login"
        }
    }
}
