// Licensed under the MIT License. See LICENSE.

import Foundation

/// Finds all errors in the entries of a directory.
enum InvalidEntries {
    /// An invalid entry.
    struct Found {
        let error: EmulatorDirectory.InvalidEntry
        /// The list, the position in it, and the rest of the entry's name; `nil` for a whole list.
        let place: (list: String, position: Int, name: String?)?
        /// The invalid value.
        let value: String?
    }

    /// The validation reports one invalid entry at a time. It is removed, and the others are validated again. An entry
    /// that is only invalid because it depends on the removed one is not reported.
    ///
    /// `isWhole`: Whether all entries could be read.
    /// `hasAddedGraph`: Whether the first API is Microsoft Graph, which is not in the file.
    static func all(of directory: EmulatorDirectory, isWhole: Bool, hasAddedGraph: Bool) -> [Found] {
        var directory = directory
        var places = Dictionary(uniqueKeysWithValues: lists.map { ($0.key, Array(0..<$0.value.count(directory))) })
        var found: [Found] = []
        var hidesUnknown = !isWhole
        for _ in 0..<FileReader.mostIssues {
            if directory.tenants.isEmpty, hidesUnknown {
                // Without a tenant, nothing else would be validated.
                directory.tenants = [EmulatorDirectory.Tenant(standInFor: "hidden.invalid")]
                places["tenants"] = [-1]
            }
            do {
                try directory.validate()
                return found
            } catch {
                guard let (list, position, name) = parts(of: error.entry), let original = places[list]?[position] else {
                    if !hidesUnknown { found.append(Found(error: error, place: nil, value: nil)) }
                    return found
                }
                let isConsequence = if case .unknown = error.problem { hidesUnknown } else { false }
                if !isConsequence {
                    let shown = list == "apis" && hasAddedGraph ? original - 1 : original
                    found.append(Found(error: error, place: (list, shown, name), value: error.problem.value))
                }
                places[list]?.remove(at: position)
                lists[list]?.remove(position, &directory)
                hidesUnknown = true
            }
        }
        return found
    }

    /// The lists of a directory, by their names.
    private static let lists: [String: Entries] = [
        "tenants": Entries(\.tenants), "users": Entries(\.users), "groups": Entries(\.groups),
        "applications": Entries(\.applications), "apis": Entries(\.apis),
        "managedIdentities": Entries(\.managedIdentities), "policies": Entries(\.policies),
        "resources": Entries(\.resources), "tokenClaims": Entries(\.tokenClaims), "agents": Entries(\.agents),
    ]

    /// The parts of `users[2] 'megan@contoso.example'`.
    private static func parts(of entry: String) -> (list: String, position: Int, name: String?)? {
        guard let open = entry.firstIndex(of: "["), let close = entry.firstIndex(of: "]"), open < close,
            let position = Int(entry[entry.index(after: open)..<close])
        else { return nil }
        let list = String(entry[..<open])
        guard lists[list] != nil else { return nil }
        let rest = entry[entry.index(after: close)...].drop { $0 == " " }
        return (list, position, rest.isEmpty ? nil : String(rest))
    }
}

/// A list of a directory, with entries of any type.
private struct Entries: Sendable {
    let count: @Sendable (EmulatorDirectory) -> Int
    let remove: @Sendable (Int, inout EmulatorDirectory) -> Void

    init<Entry>(_ path: any WritableKeyPath<EmulatorDirectory, [Entry]> & Sendable) {
        count = { $0[keyPath: path].count }
        remove = { $1[keyPath: path].remove(at: $0) }
    }
}

extension EmulatorDirectory.InvalidEntry.Problem {
    /// The ID, the name, or the value in question.
    fileprivate var value: String? {
        switch self {
        case .duplicate(let value), .unknown(let value), .malformed(let value): value
        case .missing, .contradictory: nil
        }
    }
}

extension EmulatorDirectory.Tenant {
    /// A placeholder for removed tenants.
    fileprivate init(standInFor domain: String) {
        self.init(id: UUID.derived(from: domain).text, kind: .workforce, displayName: domain, domain: domain)
    }
}
