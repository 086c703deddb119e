// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// The reason for which a command line gave no token (docs/reference/Services.md#command-lines).
///
/// Written against `az` 2.53 and 2.54, `azd` 1.23.6, 1.23.7, and 1.24, and `msal` of this package.
enum CommandLineFailure {
    /// The failure of a program that was not started or was ended.
    static func failure(_ fault: CommandError, of tool: MSALCommandLineTool, limit: Duration) -> MSALTokenError {
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
                    "\(tool) was stopped: it returned no token within \(limit.components.seconds) seconds. Run it "
                    + "by hand, or raise the limit.",
                isRetryable: true
            )
        case .tooMuchOutput:
            MSALTokenError(.authenticationFailed, message: "\(tool) was stopped because it wrote more than a token.")
        case .cancelled: .cancellation
        }
    }

    /// The failure of a program that ended by itself without a token.
    static func failure(_ result: CommandOutput, of tool: MSALCommandLineTool, tenant: String?) -> MSALTokenError {
        guard result.status != 0 else {
            return MSALTokenError(
                .authenticationFailed,
                message:
                    "The output of \(tool) is not a JSON object with a token and its expiration. Run it "
                    + "by hand, and check its version."
            )
        }
        let text = text(of: result, from: tool)
        guard !isSignedOut(result, text: text, tool: tool) else {
            return MSALTokenError(
                .credentialUnavailable,
                message: "No user is signed in to \(tool.product). Run: \(tool.signIn(tenant: tenant))"
            )
        }
        let codes = text.matches(of: /AADSTS([0-9]{1,9})/).compactMap { Int($0.1) }
        let reason = text.isEmpty ? "and wrote no error" : "with: \(redacted(text))"
        let remedy = MSALTokenError.remedy(forCodes: codes).map { " \($0)" } ?? ""
        return MSALTokenError(
            kind(of: result, from: tool),
            facts: MSALTokenError.Facts(
                message: "\(tool) failed (status \(result.status)) \(reason)\(remedy)",
                serviceCodes: codes
            )
        )
    }

    private static func kind(of result: CommandOutput, from tool: MSALCommandLineTool) -> MSALTokenError.Kind {
        switch (tool.name, result.status) {
        case (_, 127): .credentialUnavailable  // A script that did not find its program.
        case (.msal, 2): .credentialUnavailable  // No client ID is set.
        case (.msal, 3): .interactionRequired
        case (.msal, 5): .network
        default: .authenticationFailed
        }
    }

    /// Whether the program says that no user is signed in. A refusal of the service may name the same command as a
    /// remedy.
    private static func isSignedOut(_ result: CommandOutput, text: String, tool: MSALCommandLineTool) -> Bool {
        let signs =
            switch tool.name {
            case .msal: [String]()
            case .az: ["az login", "az account set"]
            case .azd: ["azd auth login", "not logged in"]
            }
        return tool.name == .msal && result.status == 4
            || !text.contains("AADSTS") && signs.contains(where: text.contains)
    }

    /// The text of the program's error: in one of the forms that the program has for errors, else standard error.
    /// Standard output may hold a token, so anything else there is not read.
    private static func text(of result: CommandOutput, from tool: MSALCommandLineTool) -> String {
        let errors = String(decoding: result.errors, as: UTF8.self).trimmed
        switch tool.name {
        case .az: return errors
        case .msal:
            let error = JSONValue(parsing: result.output)?.object?["error"]?.object
            return error?["message"]?.string?.trimmed ?? errors
        case .azd:
            let lines = [result.output, result.errors].flatMap { $0.split(separator: UInt8(ascii: "\n")) }
            let texts = lines.compactMap { azdText(inLine: Data($0)) }
            return texts.isEmpty ? errors : texts.joined(separator: " ")
        }
    }

    /// The error in a line of `azd`; `nil` for any other line.
    ///
    /// Versions before 1.23.7 write `{"data":{"message":"…"}}`. Later ones write such a line with an empty message, and
    /// then `{"error":"…"}`. From 1.24 on, that line also has `message`, which is short, and `suggestion`. The suggestion
    /// to sign in again comes with every error, so it does not show that no user is signed in.
    private static func azdText(inLine line: Data) -> String? {
        guard let members = JSONValue(parsing: line)?.object else { return nil }
        return [members["data"]?.object?["message"], members["error"], members["message"], members["suggestion"]].lazy
            .compactMap { $0?.string?.trimmed }.first { !$0.isEmpty }
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
