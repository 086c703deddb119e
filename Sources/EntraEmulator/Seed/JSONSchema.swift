// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// The JSON schema of directory files, draft 2020-12, generated from the shapes that the reader uses.
struct JSONSchema {
    /// The location of the definitions in the document.
    private let place: String
    /// The schemas that others refer to.
    private var definitions: [String: JSONValue] = [:]

    private init(definitionsAt place: String) {
        self.place = place
    }

    /// The schema as a value.
    static var value: JSONValue {
        var document = JSONSchema(definitionsAt: "#/$defs/")
        guard case .object(var schema) = document.object(EmulatorDirectory.form.object) else { return .null }
        schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        schema["title"] = "Directory of an Entra emulator"
        schema["$defs"] = .object(document.definitions)
        return .object(schema)
    }

    private mutating func object(_ object: FileObject) -> JSONValue {
        var properties: [String: JSONValue] = [:]
        // A file may provide the value of another member.
        var alternatives: [(member: String, file: String)] = []
        for member in object.members {
            if case .textFile(let target) = member.shape { alternatives.append((target, member.name)) }
            guard case .object(var property) = shape(member.shape) else { continue }
            property["description"] = .string(member.summary)
            property["default"] = member.standard
            properties[member.name] = .object(property)
        }
        let required = object.members.filter { member in
            member.isRequired && !alternatives.contains { $0.member == member.name }
        }
        var schema: [String: JSONValue] = [
            "type": "object", "description": .string(object.summary), "additionalProperties": false,
            "properties": .object(properties),
        ]
        if !required.isEmpty { schema["required"] = .array(required.map { .string($0.name) }) }
        for alternative in alternatives {
            schema["oneOf"] = .array(
                [alternative.member, alternative.file].map { ["required": [.string($0)]] }
            )
        }
        return .object(schema)
    }

    private mutating func shape(_ shape: FileShape) -> JSONValue {
        switch shape {
        case .text(let form): Self.text(form)
        case .textFile: ["type": "string"]
        case .flag: ["type": "boolean"]
        case .number(let range):
            ["type": "integer", "minimum": .int(range.lowerBound), "maximum": .int(range.upperBound)]
        case .numberChoice(let numbers): ["type": "integer", "enum": .array(numbers.map { .int($0) })]
        case .choice(let names): ["type": "string", "enum": .array(names.map { .string($0) })]
        case .any: [:]
        case .list(let element): ["type": "array", "items": self.shape(element)]
        case .table(let element):
            ["type": "object", "additionalProperties": self.shape(element)]
        case .object(let object): reference(to: object)
        case .shortened(let object, _):
            ["anyOf": [["type": "string"], reference(to: object)]]
        }
    }

    private static func text(_ form: FileShape.TextForm) -> JSONValue {
        switch form {
        case .plain, .secret: ["type": "string"]
        case .guid: ["type": "string", "format": "uuid"]
        case .uri: ["type": "string", "format": "uri"]
        case .date:
            [
                "type": "string",
                "pattern": "^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:?\\d{2}))?$",
            ]
        }
    }

    private mutating func reference(to object: FileObject) -> JSONValue {
        let name = Self.word(for: object)
        if definitions[name] == nil {
            definitions[name] = .null
            definitions[name] = self.object(object)
        }
        return ["$ref": .string(place + name)]
    }

    private static func word(for object: FileObject) -> String {
        let words = object.name.split(separator: " ").map(String.init)
        return words.enumerated().map { $0 == 0 ? $1.lowercased() : $1.capitalized }.joined()
    }
}

// MARK: In another document

extension JSONSchema {
    private static let components = "#/components/schemas/"

    /// The schemas of objects and their nested objects, for the components of an OpenAPI description.
    static func definitions(of objects: [FileObject]) -> [String: JSONValue] {
        var document = JSONSchema(definitionsAt: components)
        for object in objects { _ = document.reference(to: object) }
        return document.definitions
    }

    /// A reference to such a schema.
    static func name(of object: FileObject) -> JSONValue { ["$ref": .string(components + word(for: object))] }
}

extension EmulatorDirectory {
    /// The JSON schema of directory files, draft 2020-12, for editors.
    package static var schema: String { JSONSchema.value.lines }
}
