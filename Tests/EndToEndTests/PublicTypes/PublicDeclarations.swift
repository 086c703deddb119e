// Licensed under the MIT License. See LICENSE.

import Foundation

/// The public types of the products, as the files in `api` list them.
enum PublicDeclarations {
    private static let folder = {
        var root = URL(filePath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        return root.appending(path: "api")
    }()

    /// The types whose instances could store something: no protocols, no enums without values, no raw values.
    ///
    /// - Returns: The superclass of each, by `<product>.<type>`. An empty text means none.
    static func types() throws -> [String: String] {
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        var types: [String: String] = [:]
        for file in files where file.pathExtension == "txt" {
            let product = file.deletingPathExtension().lastPathComponent
            for block in try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n\n") {
                let lines = block.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
                guard let name = lines.first, let declaration = lines.dropFirst().first, canHold(declaration, lines)
                else { continue }
                let superclass = declaration.firstMatch(of: /class [\w.]+ : (\w+)/)?.1 ?? ""
                types["\(product).\(name)"] = superclass.isEmpty ? "" : "\(product).\(superclass)"
            }
        }
        return types
    }

    private static func canHold(_ declaration: String, _ lines: [String]) -> Bool {
        guard declaration.contains(/\b(class|struct|enum) \w/), !lines.contains("is RawRepresentable") else {
            return false
        }
        return !declaration.contains(/\benum \w/) || lines.contains { $0.hasPrefix("case ") && $0.contains("(") }
    }
}
