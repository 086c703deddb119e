// Licensed under the MIT License. See LICENSE.

import MSALServer

extension MSALStoreConformance {
    static let conditions: [Check] = [
        Check("absent: succeeds for a name without a value") { bench in
            let name = bench.name()
            try await bench.expect(bench.write([1], to: name, if: .absent), else: "It was refused.")
            try await bench.expectValue([1], of: name)
        },
        Check("absent: is refused for an existing value, which stays") { bench in
            let name = bench.name()
            try await bench.write([1], to: name)
            let before = try await bench.entry(name)
            try await bench.expect(!bench.write([2], to: name, if: .absent), else: "It was written.")
            let after = try await bench.entry(name)
            try bench.expect(after.value == [1] && after.version == before.version, else: "The value changed.")
        },
        Check("absent: is refused for an empty value") { bench in
            let name = bench.name()
            try await bench.write([], to: name)
            try await bench.expect(!bench.write([2], to: name, if: .absent), else: "It was written.")
        },
        Check("absent: succeeds after a removal") { bench in
            let name = bench.name()
            try await bench.write([1], to: name)
            try await bench.store.remove([name])
            try await bench.expect(bench.write([2], to: name, if: .absent), else: "It was refused.")
        },
        Check("absent: succeeds after the previous value has expired") { bench in
            let name = bench.name()
            try await bench.write([1], to: name, expiresIn: StoreTestHarness.short)
            try await bench.pass(StoreTestHarness.short)
            try await bench.expect(bench.write([2], to: name, if: .absent), else: "It was refused.")
        },
        Check("absent: one of many concurrent writers succeeds") { bench in
            let name = bench.name()
            let written = try await bench.concurrently { try await bench.write([UInt8($0)], to: name, if: .absent) }
            try bench.expect(written == 1, else: "\(written) succeeded.")
        },
        Check("version: succeeds for the current version") { bench in
            let name = bench.name()
            try await bench.write([1], to: name)
            let version = try await bench.entry(name).version
            try await bench.expect(bench.write([2], to: name, if: .version(version)), else: "It was refused.")
            let entry = try await bench.entry(name)
            try bench.expect(entry.value == [2] && entry.version != version, else: "The value is \(entry.value).")
        },
        Check("version: is refused if the value is newer, which stays") { bench in
            let name = bench.name()
            try await bench.write([1], to: name)
            let version = try await bench.entry(name).version
            try await bench.write([2], to: name)
            try await bench.expect(!bench.write([3], to: name, if: .version(version)), else: "It was written.")
            try await bench.expectValue([2], of: name)
        },
        Check("version: is refused for a name without a value") { bench in
            for number: UInt64 in [0, 1, .max] {
                let isWritten = try await bench.write([1], to: bench.name(), if: .version(MSALStoreVersion(number)))
                try bench.expect(!isWritten, else: "It was written over version \(number), which never existed.")
            }
        },
        Check("version: is refused after a removal and another write") { bench in
            let name = bench.name()
            try await bench.write([1], to: name)
            let version = try await bench.entry(name).version
            try await bench.store.remove([name])
            try await bench.write([2], to: name)
            try await bench.expect(!bench.write([3], to: name, if: .version(version)), else: "It was written.")
        },
        Check("version: is refused after the removal of the partition") { bench in
            let name = bench.name()
            try await bench.write([1], to: name)
            let version = try await bench.entry(name).version
            try await bench.store.removeAll(in: name.partition)
            try await bench.expect(!bench.write([3], to: name, if: .version(version)), else: "It was written.")
            try await bench.expect(bench.value(of: name) == nil, else: "A user who signed out is signed in again.")
        },
        Check("version: is refused after the value has expired") { bench in
            let name = bench.name()
            try await bench.write([1], to: name, expiresIn: StoreTestHarness.short)
            let version = try await bench.entry(name).version
            try await bench.pass(StoreTestHarness.short)
            try await bench.expect(!bench.write([2], to: name, if: .version(version)), else: "It was written.")
        },
        Check("version: one of many concurrent writers succeeds") { bench in
            let name = bench.name()
            try await bench.write([0], to: name)
            let version = try await bench.entry(name).version
            let written = try await bench.concurrently {
                try await bench.write([UInt8($0)], to: name, if: .version(version))
            }
            try bench.expect(written == 1, else: "\(written) succeeded.")
        },
        Check("version: writers that retry lose no update") { bench in
            let name = bench.name()
            try await bench.write([0], to: name)
            _ = try await bench.concurrently(10) { _ in
                while true {
                    let entry = try await bench.entry(name)
                    let next = [(entry.value.first ?? 0) + 1]
                    if try await bench.write(next, to: name, if: .version(entry.version)) { return true }
                }
            }
            let value = try await bench.value(of: name)
            try bench.expect(value == [10], else: "10 writers counted to \(value?.first as Any).")
        },
        Check("a refused write does not change the expiry") { bench in
            let name = bench.name()
            try await bench.write([1], to: name, expiresIn: StoreTestHarness.short)
            try await bench.write([2], to: name, if: .absent)
            try await bench.write([2], to: name, if: .version(MSALStoreVersion(.max)))
            try await bench.pass(StoreTestHarness.short)
            try await bench.expect(bench.value(of: name) == nil, else: "The value exists after its expiry.")
        },
    ]

    static let removing: [Check] = [
        Check("a removed name has no value") { bench in
            let name = bench.name()
            try await bench.write([1], to: name)
            try await bench.store.remove([name])
            try await bench.expect(bench.value(of: name) == nil, else: "The value still exists.")
        },
        Check("a name without a value can be removed") { bench in try await bench.store.remove([bench.name()]) },
        Check("a removal leaves the other names of the partition") { bench in
            let names = bench.names(2, in: bench.partition())
            for name in names { try await bench.write([1], to: name) }
            try await bench.store.remove([names[0]])
            try await bench.expectValues([nil, [1]], of: names)
        },
        Check("64 names of several partitions are removed at once") { bench in
            let names = bench.names(32, in: bench.partition()) + bench.names(32)
            for name in names { try await bench.write([1], to: name) }
            try await bench.store.remove(names)
            for name in names { try await bench.expect(bench.value(of: name) == nil, else: "A value still exists.") }
        },
        Check("a removed partition has no values") { bench in
            let names = bench.names(40, in: bench.partition())
            for name in names { try await bench.write([1], to: name) }
            try await bench.store.removeAll(in: names[0].partition)
            for name in names { try await bench.expect(bench.value(of: name) == nil, else: "A value still exists.") }
        },
        Check("the removal of a partition leaves the others") { bench in
            let names = bench.names(2)
            for name in names { try await bench.write([1], to: name) }
            try await bench.store.removeAll(in: names[0].partition)
            try await bench.expectValues([nil, [1]], of: names)
        },
        Check("a partition without values can be removed") { bench in
            try await bench.store.removeAll(in: bench.partition())
        },
        Check("a removed partition can be written again") { bench in
            let name = bench.name()
            try await bench.write([1], to: name)
            try await bench.store.removeAll(in: name.partition)
            try await bench.write([2], to: name)
            try await bench.expectValue([2], of: name)
        },
    ]
}
