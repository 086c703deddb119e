// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import MSALBase

/// The OpenAPI document of the control API (OpenAPI Specification 3.1.1), generated from `ControlOperation`, from which
/// the API itself takes its routes.
enum ControlDescription {
    /// The document as text that ends with a line break.
    static func text() -> String { value.lines }

    static var value: JSONValue {
        var paths: [String: JSONValue] = [:]
        for operation in ControlOperation.allCases {
            guard operation.route.path.hasPrefix("/{list}") else {
                add(operation, at: operation.route.path, of: nil, to: &paths)
                continue
            }
            for (list, object) in ControlOperation.lists {
                let path = operation.route.path.replacing("{list}", with: list)
                add(operation, at: path, of: (list, object), to: &paths)
            }
        }
        return [
            "openapi": "3.1.1",
            "info": [
                "title": "Control API of entra-emulator", "version": "1",
                "description": .string(about),
                "license": ["name": "MIT", "identifier": "MIT"],
            ],
            "servers": [["url": "https://localhost:8444"]],
            "security": [["controlToken": []]],
            "paths": .object(paths),
            "components": [
                "securitySchemes": ["controlToken": ["type": "http", "scheme": "bearer"]],
                "schemas": .object(schemas),
                "responses": [
                    "refusal": [
                        "description": "The body, a parameter, or the token is invalid.",
                        "content": ["application/json": ["schema": ["$ref": "#/components/schemas/refusal"]]],
                    ]
                ],
            ],
        ]
    }

    private static let about =
        "Controls the emulated service from a test. The kits for Swift, Python, and Go have a function for each operation."

    // MARK: Paths

    private static func add(
        _ operation: ControlOperation,
        at path: String,
        of list: (name: String, entry: FileObject)?,
        to paths: inout [String: JSONValue]
    ) {
        var members: [String: JSONValue] = [
            // Lists share their operations, but IDs must be unique.
            "operationId": .string(operation.rawValue + (list.map { "-\($0.name)" } ?? "")),
            "summary": .string(operation.route.summary),
            "responses": [
                String(operation.route.status): [
                    "description": "Done.", "content": ["application/json": ["schema": ["type": "object"]]],
                ],
                "default": ["$ref": "#/components/responses/refusal"],
            ],
        ]
        var parameters = operation.parameters.map { Self.parameter($0, in: "query") }
        if path.contains("{name}") {
            let name = ControlMember("name", of: ["type": "string"], summary: "The ID or a name.", isRequired: true)
            parameters.append(parameter(name, in: "path"))
        }
        if !parameters.isEmpty { members["parameters"] = .array(parameters) }
        if let body = body(of: operation, entry: list?.entry) {
            members["requestBody"] = ["content": ["application/json": ["schema": body]]]
        }
        var item = paths[path]?.object ?? [:]
        item[operation.route.method.rawValue.lowercased()] = .object(members)
        paths[path] = .object(item)
    }

    private static func parameter(_ member: ControlMember, in place: String) -> JSONValue {
        [
            "name": .string(member.name), "in": .string(place), "description": .string(member.summary),
            "required": .bool(member.isRequired), "schema": member.schema,
        ]
    }

    private static func body(of operation: ControlOperation, entry: FileObject?) -> JSONValue? {
        if operation == .add { return entry.map(JSONSchema.name) }
        if operation == .change || operation == .changeNativeAuth { return ["type": "object"] }
        guard !operation.members.isEmpty else { return nil }
        var properties: [String: JSONValue] = [:]
        for member in operation.members {
            guard case .object(var schema) = member.schema else { continue }
            schema["description"] = .string(member.summary)
            properties[member.name] = .object(schema)
        }
        let required = operation.members.filter(\.isRequired).map(\.name)
        var schema: [String: JSONValue] = [
            "type": "object", "additionalProperties": false, "properties": .object(properties),
        ]
        if !required.isEmpty { schema["required"] = .strings(required) }
        return .object(schema)
    }

    // MARK: Schemas

    private static var schemas: [String: JSONValue] {
        var schemas = JSONSchema.definitions(of: Array(ControlOperation.lists.values))
        schemas["refusal"] = [
            "type": "object",
            "properties": ["error": ["type": "string"], "error_description": ["type": "string"]],
            "required": ["error"],
        ]
        return schemas
    }
}
