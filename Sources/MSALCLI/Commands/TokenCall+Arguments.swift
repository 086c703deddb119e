// Licensed under the MIT License. See LICENSE.

extension TokenCall {
    /// The call that the arguments of a process ask for, if they are simple; `nil` for everything else.
    ///
    /// The options are defined by ``TokenCommand``. Its parser finds them by reflection, which takes longer than to find
    /// a token in the store. So this reader knows the plain forms of the same options, `--name value` and `-o value`. It
    /// leaves every other form, every error and the help to the parser. A test compares the two.
    init?(plain arguments: [String]) {
        guard arguments.first == "token" else { return nil }
        self.init()
        var words = arguments.dropFirst()
        while let word = words.popFirst() {
            switch word {
            case "--refresh" where !isRefresh: isRefresh = true
            case "--show-token" where !showsToken: showsToken = true
            case "--output" where output == nil, "-o" where output == nil:
                guard let chosen = words.popFirst().flatMap(OutputFormat.init(rawValue:)) else { return nil }
                output = chosen
            default:
                // An empty value, and one that looks like an option, have rules of their own.
                guard let value = words.popFirst(), !value.isEmpty, !value.hasPrefix("-"), take(value, of: word) else {
                    return nil
                }
            }
        }
    }

    /// Takes the value of an option. `false` if there is no such option here, or if it was there and takes one value.
    private mutating func take(_ value: String, of option: String) -> Bool {
        switch option {
        case "--scope": scopes.append(value)
        case "--known-authority": client.knownAuthority.append(value)
        case "--account" where account == nil: account = value
        case "--claims" where claims == nil: claims = value
        case "--profile" where client.profile == nil: client.profile = value
        case "--client-id" where client.clientID == nil: client.clientID = value
        case "--authority" where client.authority == nil: client.authority = value
        case "--ca-file" where client.caFile == nil: client.caFile = value
        default: return false
        }
        return true
    }
}
