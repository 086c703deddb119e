// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// Importing the cache of another library into an empty store.
struct ImportRows {
    let bench: Bench

    func run() async throws {
        bench.table.title("Import of one file into an empty store, in a separate process")
        for accounts in bench.sizes([1000, 10_000, 100_000]) {
            let file = bench.path("import.json")
            _ = FileManager.default.createFile(atPath: file, contents: Content.text(0..<accounts))
            defer { try? FileManager.default.removeItem(atPath: file) }  // A temporary file.
            let size = Double((try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int) ?? 0)
            let numbers: [Double]
            do {
                numbers = try await Child.figures(3, of: .importing, [file])
            } catch {
                bench.table.failed("import", at: accounts, because: "\(error)")
                continue
            }
            bench.table.row(
                "time",
                at: accounts,
                Figure([Cost(cpu: numbers[0], wall: numbers[1])]),
                limit: Limit(what: "4 rows per account by C", value: 4 * bench.limits.insert * Double(accounts)),
                key: "import",
                target: accounts == 10_000 ? 2e6 : nil
            )
            bench.table.row(
                "peak memory relative to the file",
                at: accounts,
                value: numbers[2] / size,
                unit: .ratio,
                limit: Limit(what: "file \(Unit.bytes.text(size))", value: nil),
                key: "import-memory",
                target: accounts >= 10_000 ? 3 : nil
            )
        }
    }

    /// Imports a file. Runs in a child of ``run()``.
    static func importing(_ file: String) async throws {
        let folder = NSTemporaryDirectory() + "msal-benchmark-import-\(getpid())"
        defer { try? FileManager.default.removeItem(atPath: folder) }  // A temporary folder anyway.
        let environment = ["MSAL_STORE_DIR": folder, "MSAL_STORE_KEY": "key-file"]
        do {
            let store = try MSALTokenStore(group: "import", protection: .keyFile, environment: environment)
            let start = Moment()
            try await store.importCache(Data(contentsOf: URL(filePath: file)))
            let cost = start.cost()
            say("\(cost.cpu) \(cost.wall) \(memory("VmHWM"))")
        } catch {
            say("refused: \(error.localizedDescription)")
        }
    }
}
