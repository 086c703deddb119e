// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird
import MSALBase

/// The console's lists and forms: they show and change the entries of the directory as the control API does.
extension ControlConsole {
    /// A list of the directory that the console edits.
    private struct EditedList {
        let name: String
        let object: FileObject
        /// The member that identifies an entry.
        var key: String { ["applications", "apis"].contains(name) ? "clientId" : "id" }
        /// The console's page with the entries.
        var page: String { name == "users" ? "/people" : "/list/\(name)" }
        /// The members with a control of their own.
        var fields: [EntryField] { object.members.filter { $0.label != nil }.map(EntryField.init) }
        /// The members that the last control edits as JSON. Photos are too large for a form.
        var others: [FileMember] {
            object.members.filter {
                $0.label == nil && $0.name != key && !["photo", "passwordDigest"].contains($0.name)
            }
        }

        init?(_ name: String) {
            guard let object = ControlOperation.lists[name] else { return nil }
            (self.name, self.object) = (name, object)
        }
    }

    private static let titles = [
        "tenants": "Tenants", "groups": "Groups", "policies": "Policies", "managedIdentities": "Managed identities",
        "agents": "Agents", "tokenClaims": "Claims of tokens", "apis": "APIs", "applications": "Applications",
        "users": "Users",
    ]

    /// Responds to `/list/{list}`, `/edit/{list}/{id}`, and `/add/{list}`; `nil` for another path.
    func showEntries(_ path: String, query: FormValues) throws -> Response? {
        let parts = path.split(separator: "/", maxSplits: 2).map { String($0).removingPercentEncoding ?? "" }
        guard parts.count >= 2, let list = EditedList(parts[1]) else { return nil }
        switch (parts[0], parts.count) {
        case ("list", 2): return try show(list, query: query)
        case ("add", 2): return form(of: list, entry: nil, typed: nil)
        case ("edit", 3):
            return try entry(parts[2], in: list).map { entry in
                form(of: list, entry: entry, typed: nil, isSaved: query["done"] != nil)
            }
        default: return nil
        }
    }

    /// The entries in the form of a directory file, without secrets.
    private func entries(of list: EditedList) throws -> [JSONValue] {
        try parts.editor.contents.file(withSecrets: false)[list.name]?.array ?? []
    }

    private func entry(_ id: String, in list: EditedList) throws -> JSONValue? {
        if list.name == "users" { return try parts.editor.user(id).map { try FileWriter().value(of: $0) } }
        return try entries(of: list).first { $0[list.key]?.string?.lowercased() == id.lowercased() }
    }

    private func show(_ list: EditedList, query: FormValues) throws -> Response {
        let found = try entries(of: list).filter { Self.matches(query["q"], $0) }
        let rows = found.prefix(Self.longList).map { entry -> [String: String] in
            let id = entry[list.key]?.string ?? ""
            let shown = entry["displayName"] ?? entry["name"] ?? entry["claims"]
            let rest = list.object.members.filter { member in
                ![list.key, "displayName", "name", "claims", "id"].contains(member.name)
            }
            let details = rest.compactMap { member in entry[member.name].map { "\(member.name): \(Self.short($0))" } }
            return [
                "name": shown.map(Self.short) ?? id, "id": id, "path": id.percentEncoded(),
                "details": JournalText.shortened(details.joined(separator: "; "), to: Self.shownBytes),
            ]
        }
        return page(
            "consolelist",
            title: Self.titles[list.name] ?? list.name,
            values: [
                "list": list.name, "rows": rows, "hasRows": !rows.isEmpty, "q": query["q"] ?? "",
                "more": found.count > rows.count ? [String(found.count - rows.count)] : [],
                "notice": Self.notice(query),
            ]
        )
    }

    /// The confirmation of a change after which the browser was redirected here.
    static func notice(_ query: FormValues) -> [String] { query["done"] == nil ? [] : ["The directory was changed."] }

    /// Whether the text of an entry contains a search term, regardless of case.
    static func matches(_ term: String?, _ entry: JSONValue) -> Bool {
        matches(term, String(decoding: entry.encoded(), as: UTF8.self))
    }

    static func matches(_ term: String?, _ text: String) -> Bool {
        term.map { text.lowercased().contains($0.lowercased()) } ?? true
    }

    private static func short(_ value: JSONValue) -> String {
        if let texts = value.array?.compactMap(\.string), texts.count == value.array?.count {
            return texts.joined(separator: ", ")
        }
        return value.string ?? String(decoding: value.encoded(), as: UTF8.self)
    }

    // MARK: Form

    /// `typed`: The values of a form that the directory rejected.
    private func form(
        of list: EditedList,
        entry: JSONValue?,
        typed: FormValues?,
        problem: String? = nil,
        isSaved: Bool = false
    ) -> Response {
        let id = entry?[list.key]?.string
        let fields = list.fields.map { field -> [String: Any] in
            let text = typed.map { $0[field.name] ?? "" } ?? field.text(of: entry?[field.member.name])
            return field.values(text: text, isFixed: field.member.name == list.key && entry != nil)
        }
        var others: [String: JSONValue] = [:]
        for member in list.others { others[member.name] = entry?[member.name] }
        var values: [String: Any] = [
            "list": list.name, "id": id ?? "", "fields": fields, "back": list.page, "exists": entry != nil,
            "others": typed?["others"] ?? JSONValue.object(others).lines,
            "otherNames": list.others.map(\.name).joined(separator: ", "), "hasOthers": !list.others.isEmpty,
        ]
        if let problem { values["problem"] = ["text": problem] }
        if isSaved { values["notice"] = ["The changes were saved."] }
        let name = entry?["displayName"]?.string ?? entry?["name"]?.string ?? id
        return page("consoleform", title: name ?? "New \(list.object.name)", values: values)
    }

    /// Saves or removes the entry of a form; `nil` for an unknown list or entry.
    func edit(_ form: FormValues) throws -> Response? {
        guard let list = form["list"].flatMap(EditedList.init) else { return nil }
        let id = form["id"]
        let before = try id.flatMap { try entry($0, in: list) }
        guard id == nil || before != nil else { return nil }
        do {
            if form["remove"] != nil, let id {
                try change(.delete, id, of: list, by: .null)
                return .redirect(to: "\(list.page)?done=entry", after: .post)
            }
            let changes = try self.changes(in: form, of: list, before: before)
            try change(id == nil ? .post : .patch, id, of: list, by: .object(changes))
            let saved = id.map { "/edit/\(list.name)/\($0.percentEncoded())?done=entry" }
            return .redirect(to: saved ?? "\(list.page)?done=entry", after: .post)
        } catch {
            let problem =
                switch error {
                case let found as DirectoryFileError: "\(found.issue.problem); \(found.issue.remedy)"
                case let refusal as ControlRefusal: refusal.description
                case let invalid as EmulatorDirectory.InvalidEntry: invalid.description
                default: throw error
                }
            return self.form(of: list, entry: before, typed: form, problem: problem)
        }
    }

    private func changes(
        in form: FormValues,
        of list: EditedList,
        before: JSONValue?
    ) throws(ControlRefusal) -> [String: JSONValue] {
        var changes: [String: JSONValue] = [:]
        for field in list.fields where before == nil || field.member.name != list.key {
            let value = try field.value(of: form[field.name] ?? "")
            // A new entry has its defaults.
            if before != nil || (value != .null && value != nil) { changes[field.member.name] = value }
        }
        guard !list.others.isEmpty else { return changes }
        guard let others = JSONValue(parsing: Data((form["others"] ?? "{}").utf8))?.object else {
            throw ControlRefusal("'Other members' is not a JSON object")
        }
        for name in others.keys.sorted() where !list.others.contains(where: { $0.name == name }) {
            throw ControlRefusal("'\(name)' in 'Other members' is unknown, or has a control of its own")
        }
        for member in list.others {
            let value = others[member.name]
            if value != before?[member.name] { changes[member.name] = value ?? .null }
        }
        return changes
    }

    private func change(_ method: HTTPRequest.Method, _ id: String?, of list: EditedList, by body: JSONValue) throws {
        let request = ControlAPI.DirectoryRequest(method: method, name: id, query: .empty, body: body, isForm: true)
        _ = try ControlAPI(parts: parts).changed(list.name, by: request)
    }

    // MARK: Export

    /// The directory as a file to download.
    func export(_ form: FormValues) throws -> Response {
        let format = form["format"].flatMap(EmulatorDirectory.FileFormat.init) ?? .yaml
        let text = try parts.editor.wholeDirectory().text(as: format, withSecrets: form["secrets"] == "true")
        return Response(
            status: .ok,
            headers: [
                .contentType: format == .json ? "application/json; charset=utf-8" : "application/yaml; charset=utf-8",
                .contentDisposition: "attachment; filename=\"directory.\(format.rawValue)\"",
            ],
            body: .init(byteBuffer: ByteBuffer(string: text))
        )
    }
}
