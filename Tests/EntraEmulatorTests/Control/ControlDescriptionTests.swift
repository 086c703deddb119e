// Licensed under the MIT License. See LICENSE.

import Foundation
import NIOHTTP1
import Testing

@testable import EntraEmulator

/// The list of the control API's operations: its description, and the functions of the kits.
struct ControlDescriptionTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../..")

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    @Test func `every reference in the description can be resolved`() throws {
        let text = Emulator.controlAPIDescription
        let value = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let components = try #require(value["components"] as? [String: [String: Any]])
        let references = text.matches(of: /"#\/components\/(\w+)\/(\w+)"/)

        #expect(references.count > 20)
        for reference in references {
            #expect(components[String(reference.1)]?[String(reference.2)] != nil, "\(reference.0)")
        }
    }

    /// A schema refers to an object by its name.
    @Test func `no two types of objects share a name`() {
        var summaries: [String: Set<String>] = [:]
        func note(_ object: FileObject) {
            // Kinds of objects do not contain themselves.
            summaries[object.name, default: []].insert(object.summary)
            for member in object.members { note(member.shape) }
        }
        func note(_ shape: FileShape) {
            switch shape {
            case .list(let element), .table(let element): note(element)
            case .object(let object), .shortened(let object, _): note(object)
            case .text, .flag, .number, .numberChoice, .choice, .textFile, .any: break
            }
        }
        note(EmulatorDirectory.form.object)
        for object in ControlOperation.lists.values { note(object) }

        #expect(summaries.count > 20)
        for (name, kinds) in summaries { #expect(kinds.count == 1, "\(name): \(kinds.sorted())") }
    }

    @Test func `the published description matches the code`() throws {
        let published = try Self.text("docs/control.openapi.json")

        #expect(Emulator.controlAPIDescription == published, "GET /openapi.json has the new one.")
    }

    @Test(arguments: ControlOperation.allCases)
    func `every operation is found by its address, and responds`(operation: ControlOperation) async throws {
        let path = operation.route.path.replacing("{list}", with: "groups").replacing("{name}", with: "some")
        #expect(ControlOperation(operation.route.method, path: path) == operation)
        try await Bench.run({ $0.controlPort = 0 }) { bench in
            let control = try ControlPort(bench)
            let method = HTTPMethod(rawValue: "\(operation.route.method)")
            let response = try await control.send(method, path, operation == .expectRequest ? #"{"seconds":0}"# : nil)

            // A body that is missing is refused with the member that is; an entry that is not there is 404.
            #expect([200, 201, 400, 404].contains(response.status), "\(response.text)")
            #expect(response.status != 404 || path.hasSuffix("/some"))
        }
    }

    @Test(arguments: ControlOperation.allCases)
    func `every operation has its functions in the kits`(operation: ControlOperation) throws {
        let python = try Self.text("kits/pytest/src/pytest_entra_emulator/control.py")
        let go = try Self.text("kits/go/operations.go") + Self.text("kits/go/control.go")
        for function in operation.functions {
            let snake = function.replacing(/[A-Z]/) { "_\($0.0.lowercased())" }
            let pascal =
                function == "apiDescription" ? "APIDescription" : function.prefix(1).uppercased() + function.dropFirst()

            #expect(python.contains("    def \(snake)(self"), "\(snake)")
            #expect(go.contains("func (c *Control) \(pascal)("), "\(pascal)")
        }
    }

    /// In Swift the emulator is a value of the test's own process: entries are changed as values.
    private static let inSwift = [
        "apiDescription": "controlAPIDescription", "clock": "now", "entries": "directory", "entry": "directory",
        "add": "changeDirectory", "change": "changeDirectory", "remove": "changeDirectory",
        "addToDirectory": "changeDirectory",
    ]

    @Test(arguments: ControlOperation.allCases)
    func `every operation has its functions in Swift`(operation: ControlOperation) throws {
        let folder = Self.root.appending(path: "Sources/EntraEmulator")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let files = names.filter { $0.hasPrefix("Emulator") }
        let text = try files.map { try Self.text("Sources/EntraEmulator/\($0)") }.joined()
        for function in operation.functions {
            let name = Self.inSwift[function] ?? function
            #expect(text.contains(try Regex("(func|var) \(name)[(:]")), "\(name)")
        }
    }
}
