// Licensed under the MIT License. See LICENSE.

import MSALServer

extension MSALStoreConformance {
    static let reading: [Check] = [
        Check("a name that was never written has no value") { bench in
            let entry = try await bench.read(bench.name())
            try bench.expect(entry == nil, else: "There is a value.")
        },
        Check("an empty value is a value") { bench in try await returns([], from: bench) },
        Check("every byte is preserved") { bench in try await returns((0...255).map { UInt8($0) }, from: bench) },
        Check("zeros are preserved") { bench in try await returns([UInt8](repeating: 0, count: 100), from: bench) },
        Check("bytes that are not UTF-8 are preserved") { bench in
            try await returns([0xFF, 0xC0, 0x80, 0xED, 0xA0], from: bench)
        },
        Check("line ends, quotes, and backslashes are preserved") { bench in
            try await returns(Array("+OK\r\n$-1\r\n'); --\\x00\"\t".utf8), from: bench)
        },
        Check("64 KiB are preserved") { bench in
            try await returns((0..<(64 << 10)).map { UInt8(truncatingIfNeeded: $0 &* 31) }, from: bench)
        },
        Check("entries are in the order of the names, with gaps") { bench in
            let partition = bench.partition()
            let names = bench.names(4, in: partition)
            try await bench.write([1], to: names[1])
            try await bench.write([3], to: names[3])
            try await bench.expectValues([nil, [1], nil, [3]], of: names)
        },
        Check("names of several partitions are read at once") { bench in
            let names = bench.names(3)
            for (number, name) in names.enumerated() { try await bench.write([UInt8(number)], to: name) }
            try await bench.expectValues([[2], [1], [0]], of: names.reversed())
        },
        Check("32 names are read at once") { bench in
            let names = bench.names(16, in: bench.partition()) + bench.names(16, in: bench.partition())
            for (number, name) in names.enumerated() { try await bench.write([UInt8(number)], to: name) }
            try await bench.expectValues((0..<32).map { [UInt8($0)] }, of: names)
        },
        Check("a name that is requested twice is returned twice") { bench in
            let name = bench.name()
            try await bench.write([7], to: name)
            try await bench.expectValues([[7], [7]], of: [name, name])
        },
        Check("an entry states its remaining lifetime, at most the one that was set") { bench in
            let name = bench.name()
            try await bench.write([1], to: name, expiresIn: .seconds(600))
            let left = try await bench.entry(name).expiresIn
            try bench.expect(left <= .seconds(600) && left > .seconds(540), else: "\(left) are left of 600 seconds.")
        },
        Check("the remaining lifetime decreases") { bench in
            let name = bench.name()
            try await bench.write([1], to: name, expiresIn: .seconds(600))
            let before = try await bench.entry(name).expiresIn
            try await bench.pass(.seconds(2))
            let after = try await bench.entry(name).expiresIn
            try bench.expect(
                before - after >= .seconds(1),
                else: "It went from \(before) to \(after) within two seconds."
            )
        },
        Check("reading changes neither the version nor the expiry") { bench in
            let name = bench.name()
            try await bench.write([1], to: name, expiresIn: .seconds(600))
            let first = try await bench.entry(name)
            let second = try await bench.entry(name)
            try bench.expect(first.version == second.version, else: "The version changed.")
            try bench.expect(second.expiresIn <= first.expiresIn, else: "The expiry was extended.")
        },
    ]

    private static func returns(_ value: [UInt8], from bench: StoreTestHarness) async throws {
        let name = bench.name()
        try await bench.write(value, to: name)
        let found = try await bench.value(of: name)
        try bench.expect(
            found == value,
            else: "\(value.count) bytes were written, and \(found?.count ?? -1) different bytes were read."
        )
    }

    static let writing: [Check] = [
        Check("a write replaces the value") { bench in
            let name = bench.name()
            try await bench.write([1, 2, 3], to: name)
            try await bench.expect(bench.write([4], to: name), else: "The second write was refused.")
            try await bench.expectValue([4], of: name)
        },
        Check("each write results in a new version, also for the same bytes") { bench in
            let name = bench.name()
            var versions: Set<MSALStoreVersion> = []
            for _ in 0..<20 {
                try await bench.write([1], to: name)
                versions.insert(try await bench.entry(name).version)
            }
            try bench.expect(versions.count == 20, else: "20 writes resulted in \(versions.count) versions.")
        },
        Check("the version of a removed value is never reused") { bench in
            let name = bench.name()
            var versions: Set<MSALStoreVersion> = []
            for _ in 0..<10 {
                try await bench.write([1], to: name)
                versions.insert(try await bench.entry(name).version)
                try await bench.store.remove([name])
            }
            try bench.expect(versions.count == 10, else: "10 writes resulted in \(versions.count) versions.")
        },
        Check("the version of a removed partition is never reused") { bench in
            let name = bench.name()
            var versions: Set<MSALStoreVersion> = []
            for _ in 0..<10 {
                try await bench.write([1], to: name)
                versions.insert(try await bench.entry(name).version)
                try await bench.store.removeAll(in: name.partition)
            }
            try bench.expect(versions.count == 10, else: "10 writes resulted in \(versions.count) versions.")
        },
        Check("names of one partition have separate values") { bench in
            let names = bench.names(2, in: bench.partition())
            try await bench.write([1], to: names[0])
            try await bench.write([2], to: names[1])
            try await bench.expectValues([[1], [2]], of: names)
        },
        Check("concurrent writes of many names all succeed") { bench in
            let names = bench.names(40, in: bench.partition())
            let written = try await bench.concurrently(40) { try await bench.write([UInt8($0)], to: names[$0]) }
            try bench.expect(written == 40, else: "\(written) of 40 were written.")
            for (number, name) in names.enumerated() {
                let value = try await bench.value(of: name)
                try bench.expect(value == [UInt8(number)], else: "\(value as Any) was read instead of \(number).")
            }
        },
    ]
}
