// Licensed under the MIT License. See LICENSE.

import Foundation

/// The permissions that a refusal of Microsoft Graph names: a call needs one of them.
///
/// Microsoft Graph consists of several services. Those that name a permission do so in a sentence, each in its own
/// form. The forms that are read here come from public reports of the status 403, such as "API requires one of
/// 'Chat.ReadBasic, Chat.Read'.". The emulator names one permission in the header of RFC 6750 §3.1.
struct MissingPermission: Equatable {
    /// The names, in the order of the response. They hold letters, digits, hyphens and dots alone.
    let names: [String]

    /// The first one: services name the smallest first.
    var first: String { names[0] }

    private static let maximumCount = 5

    /// `nil` if the response names none.
    init?(_ answer: GraphHTTPResponse) {
        guard answer.status == 403 else { return nil }
        let challenge = answer[header: "WWW-Authenticate"] ?? ""
        let message = JSONSource(answer.body)?["error"]?["message"]?.string ?? ""
        let names = Self.names(inChallenge: challenge) ?? Self.names(inMessage: message) ?? []
        guard !names.isEmpty else { return nil }
        self.names = Array(names.prefix(Self.maximumCount))
    }

    private static func names(inChallenge text: String) -> [String]? {
        guard text.contains("insufficient_scope"), let match = text.firstMatch(of: /\bscope="([A-Za-z0-9. \-]{1,400})"/)
        else { return nil }
        return match.1.split(separator: " ").map(String.init)
    }

    private static func names(inMessage text: String) -> [String]? {
        let list =
            /(?:requires one of|following scopes:|missing permission scope|permission\(s\):) *'?([A-Z][A-Za-z0-9.\-]*(?:, ?[A-Z][A-Za-z0-9.\-]*)*)/
        guard let match = text.prefix(4096).firstMatch(of: list) else { return nil }
        return match.1.split(separator: ",")
            .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " .")) }
            .filter { $0.contains(".") }
    }
}
