// Licensed under the MIT License. See LICENSE.

import Foundation
import UserFiles
import Yams

/// The content of config.yaml: the profiles by name, and the name of the default profile.
struct ProfileFile {
    private(set) var defaultProfile: String?
    private(set) var profiles: [String: Profile] = [:]
    /// The default accounts of clients, by their IDs in lower case.
    private(set) var accounts: [String: String] = [:]
    private let path: String

    /// The path in `MSAL_CONFIG`, else `$XDG_CONFIG_HOME/msal/config.yaml`, else the same below `~/.config`; `nil`
    /// without a home.
    static func path(environment: [String: String]) -> String? {
        if let file = environment["MSAL_CONFIG"], !file.isEmpty { return file }
        // The XDG specification says that relative paths are to be ignored.
        if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") { return folder + "/msal/config.yaml" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return home + "/.config/msal/config.yaml"
    }

    /// Reads a file.
    ///
    /// - Throws: `Failure` with the status `usage`. The message names the file, the line, the mistake and what is
    ///   expected.
    init(path: String) throws(Failure) { try self.init(text: try Self.text(at: path), path: path) }

    /// The text of a file.
    ///
    /// - Throws: `Failure` with the status `usage`.
    static func text(at path: String) throws(Failure) -> String {
        do throws(FileFault) {
            // The limit is generous: a file with a thousand profiles is smaller.
            return try UserFile(path, limit: 1 << 20).text()
        } catch {
            throw .usage("\(path) \(error.reason).", remedy: "It must be UTF-8 text that you can read.")
        }
    }

    init(text: String, path: String) throws(Failure) {
        self.path = path
        guard let root = try Self.compose(text, path: path) else { return }
        for (key, value) in try mapping(root, name: "the file") {
            switch key.string {
            case "default_profile": defaultProfile = try string(value, name: "default_profile")
            case "profiles":
                for (name, node) in try mapping(value, name: "profiles") {
                    profiles[try string(name, name: "the name of a profile")] = try profile(node)
                }
            case "accounts":
                for (client, account) in try mapping(value, name: "accounts") {
                    accounts[try string(client, name: "a client ID").lowercased()] = try string(
                        account,
                        name: "an account"
                    )
                }
            default: throw unknown(key, expected: "default_profile, profiles, accounts")
            }
        }
    }

    static func compose(_ text: String, path: String) throws(Failure) -> Node? {
        do {
            return try Yams.compose(yaml: text.withoutByteOrderMark)
        } catch let error as YamlError {
            throw problem(error, path: path)
        } catch {
            throw .usage("\(path): \(error)")
        }
    }

    private func profile(_ node: Node) throws(Failure) -> Profile {
        var profile = Profile()
        var (port, redirectURI): (Node?, Node?) = (nil, nil)
        for (key, value) in try mapping(node, name: "a profile") {
            switch key.string {
            case "client_id": profile.clientID = try string(value, name: "client_id")
            case "authority": profile.authority = try string(value, name: "authority")
            case "known_authorities": profile.knownAuthorities = try strings(value, name: "known_authorities")
            case "scopes": profile.scopes = try strings(value, name: "scopes")
            case "ca_file": profile.caFile = file(try string(value, name: "ca_file"))
            case "graph_url": profile.graphURL = try string(value, name: "graph_url")
            case "account": profile.account = try string(value, name: "account")
            case "port": port = value
            case "redirect_uri": redirectURI = value
            default:
                throw unknown(key, expected: Profile.Member.names)
            }
        }
        profile.redirect = try redirect(port: port, uri: redirectURI)
        return profile
    }

    private func redirect(port: Node?, uri: Node?) throws(Failure) -> RedirectChoice? {
        var (portText, uriText): (String?, String?) = (nil, nil)
        if let port { portText = try string(port, name: "port") }
        if let uri { uriText = try string(uri, name: "redirect_uri") }
        do throws(Failure) {
            return try RedirectChoice(port: portText, uri: uriText, names: ("port", "redirect_uri"))
        } catch {
            var failure = error
            if let node = port ?? uri { failure.message = "\(position(node)): \(error.message)" }
            throw failure
        }
    }

    /// The absolute path of a path in the file. Relative paths begin at the file's folder, and `~` is the user's home.
    private func file(_ text: String) -> URL {
        let expanded = (text as NSString).expandingTildeInPath
        return URL(filePath: expanded, relativeTo: URL(filePath: path).deletingLastPathComponent()).absoluteURL
    }
}

// Checks that a value is of the expected kind, and gives the error if it is not.
extension ProfileFile {
    private func mapping(_ node: Node, name: String) throws(Failure) -> Node.Mapping {
        // `profiles:` with nothing beneath it means an empty mapping.
        if node.null != nil { return Node.Mapping([]) }
        guard let mapping = node.mapping else {
            throw wrong(node, message: "\(name) must be a mapping, `name: value`.")
        }
        return mapping
    }

    private func string(_ node: Node, name: String) throws(Failure) -> String {
        guard let text = node.scalar?.string, !text.isEmpty else {
            throw wrong(node, message: "\(name) must be a string.")
        }
        return text
    }

    private func strings(_ node: Node, name: String) throws(Failure) -> [String] {
        guard let sequence = node.sequence else {
            if node.mapping != nil { throw wrong(node, message: "\(name) must be a list or a string.") }
            return [try string(node, name: name)]
        }
        var texts: [String] = []
        for element in sequence { texts.append(try string(element, name: "each of \(name)")) }
        return texts
    }

    private func unknown(_ key: Node, expected: String) -> Failure {
        .usage("\(position(key)): unknown setting \(key.string ?? "here").", remedy: "Known settings: \(expected)")
    }

    private func wrong(_ node: Node, message: String) -> Failure {
        .usage("\(position(node)): \(message)", remedy: Remedy.settings)
    }

    private func position(_ node: Node) -> String { node.mark.map { "\(path):\($0.line)" } ?? path }

    private static func problem(_ error: YamlError, path: String) -> Failure {
        let remedy = "Indent with spaces, and write `name: value`. \(Remedy.settings)"
        return switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            .usage("\(path):\(mark.line): \(problem).", remedy: remedy)
        case .duplicatedKeysInMapping(let names, let context):
            .usage(
                "\(path):\(context.mark.line): \(names.sorted().joined(separator: ", ")) is set twice.",
                remedy: "Keep one of them."
            )
        case .reader(let problem, _, _, _), .writer(let problem), .emitter(let problem), .representer(let problem):
            .usage("\(path): \(problem).", remedy: remedy)
        case .no, .memory, .dataCouldNotBeDecoded:
            .usage("\(path): the file cannot be read.", remedy: remedy)
        }
    }
}
