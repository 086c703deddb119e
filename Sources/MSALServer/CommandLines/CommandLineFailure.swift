// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// The reason for which a command line gave no token (docs/reference/Services.md#command-lines).
enum CommandLineFailure {
    /// The failure of a program that was not started or was ended.
    static func failure(
        _ fault: CommandFault,
        of tool: MSALCommandLineTool,
        limit: Duration
    ) -> MSALTokenError {
        switch fault {
        case .missing:
            MSALTokenError(
                .credentialUnavailable,
                message: "\(tool) is not installed, or not in a folder of PATH. \(tool.installation)"
            )
        case .notStarted(let reason):
            MSALTokenError(.credentialUnavailable, message: "\(tool) could not be started: \(reason).")
        case .timeout:
            MSALTokenError(
                .credentialUnavailable,
                message:
                    "\(tool) was ended, because it gave no token within \(limit.components.seconds) seconds. Run it "
                    + "by hand, or raise the limit.",
                isRetryable: true
            )
        case .tooMuchOutput:
            MSALTokenError(.authenticationFailed, message: "\(tool) was ended, because it wrote more than a token.")
        case .cancelled: .cancellation
        }
    }

    /// The failure of a program that ended by itself without a token.
    static func failure(
        _ result: CommandOutput,
        of tool: MSALCommandLineTool,
        tenant: String?
    ) -> MSALTokenError {
        guard result.status != 0 else {
            return MSALTokenError(
                .authenticationFailed,
                message:
                    "The output of \(tool) is not the JSON object with a token and its end that it should be. Run it "
                    + "by hand, and check its version."
            )
        }
        let words = words(of: result, from: tool)
        guard !isSignedOut(result, words: words, tool: tool) else {
            return MSALTokenError(
                .credentialUnavailable,
                message: "Nobody is signed in to \(tool.product). Run: \(tool.signIn(tenant: tenant))"
            )
        }
        let reason = words.isEmpty ? "without a word" : "with: \(redacted(words))"
        return MSALTokenError(
            kind(of: result, from: tool),
            message: "\(tool) failed (status \(result.status)) \(reason)"
        )
    }

    private static func kind(of result: CommandOutput, from tool: MSALCommandLineTool) -> MSALTokenError.Kind {
        switch (tool.name, result.status) {
        case (_, 127): .credentialUnavailable  // A script that did not find its program.
        case (.msal, 2): .credentialUnavailable  // No client id is set.
        case (.msal, 3): .interactionRequired
        case (.msal, 5): .network
        default: .authenticationFailed
        }
    }

    /// Whether the program says that nobody is signed in. A refusal of the service may name the same command as a remedy.
    private static func isSignedOut(_ result: CommandOutput, words: String, tool: MSALCommandLineTool) -> Bool {
        switch tool.name {
        case .msal: result.status == 4
        case .az: !words.contains("AADSTS") && ["az login", "az account set"].contains(where: words.contains)
        case .azd: !words.contains("AADSTS") && words.contains("azd auth login")
        }
    }

    /// The program's own words about its failure. The output may hold a token. So it is read only if it has one of the
    /// program's own forms of an error.
    private static func words(of result: CommandOutput, from tool: MSALCommandLineTool) -> String {
        let errors = String(decoding: result.errors, as: UTF8.self)
        switch tool.name {
        case .az: return errors.trimmed
        case .msal:
            let error = JSONValue(parsing: result.output)?.object?["error"]?.object
            return (error?["message"]?.string ?? errors).trimmed
        case .azd:
            let lines =
                result.output.split(separator: UInt8(ascii: "\n")) + result.errors.split(separator: UInt8(ascii: "\n"))
            let messages = lines.compactMap {
                JSONValue(parsing: Data($0))?.object?["data"]?.object?["message"]?.string
            }
            return (messages.isEmpty ? errors : messages.joined(separator: " ")).trimmed
        }
    }

    /// A text of at most 500 letters as a visible line, without what may be a token.
    static func redacted(_ text: String) -> String {
        var line = ""
        var word = ""
        func end() {
            line += isTokenLike(word) ? "‹redacted›" : word
            word = ""
        }
        for scalar in String(text.unicodeScalars.prefix(20_000)).visibleLine.unicodeScalars {
            if isOfToken(scalar) {
                word.unicodeScalars.append(scalar)
                continue
            }
            end()
            line.unicodeScalars.append(scalar)
        }
        end()
        let words = afterTokenMembers(line).split(separator: " ")
        return String(words.joined(separator: " ").prefix(500))
    }

    private static func isOfToken(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII
            && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                || "-_.~+=".unicodeScalars.contains(scalar))
    }

    /// Tokens are long, and JSON Web Tokens begin like this. A GUID has 36 letters.
    private static func isTokenLike(_ word: String) -> Bool { word.contains("eyJ") || word.utf8.count > 44 }

    /// Takes out the texts that follow a member whose name ends in `token`.
    private static func afterTokenMembers(_ line: String) -> String {
        var parts = line.split(separator: "\"", omittingEmptySubsequences: false).map(String.init)
        for index in parts.indices.dropFirst(2) {
            let isAfter = parts[index - 2].lowercased().hasSuffix("token") && parts[index - 1].trimmed == ":"
            if isAfter { parts[index] = "‹redacted›" }
        }
        return parts.joined(separator: "\"")
    }
}
