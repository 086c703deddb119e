// Licensed under the MIT License. See LICENSE.

import Testing

@testable import DBus

struct DBusSignatureTests {
    @Test(
        arguments: [
            ("", []),
            (
                "ybnqiuxtdsogh",
                [
                    .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string, .objectPath,
                    .signature, .descriptor,
                ]
            ),
            ("aay", [.array(.array(.byte))]),
            ("(oayays)", [.structure([.objectPath, .array(.byte), .array(.byte), .string])]),
            ("a{sv}v", [.dictionary(key: .string, value: .variant), .variant]),
            ("a{o(iu)}", [.dictionary(key: .objectPath, value: .structure([.int32, .uint32]))]),
        ] as [(String, [DBusType])]
    )
    func `a signature is read and written`(_ text: String, _ types: [DBusType]) throws {
        let parsed = try DBusSignature.parse(text.utf8)

        #expect(parsed == types)
        #expect(DBusSignature.text(parsed) == text)
    }

    @Test(
        arguments: [
            "a", "(", ")", "()", "(i", "{sv}", "a{s}", "a{sii}", "a{vs}", "a{(i)s}", "a{sv", "z", "a(", "r", "e", "\0",
        ]
    )
    func `an invalid signature is rejected`(_ text: String) {
        #expect(throws: DBusError.self) { try DBusSignature.parse(text.utf8) }
    }

    @Test func `nesting ends at 32 arrays and 32 structures`() throws {
        let arrays = String(repeating: "a", count: 32)
        let structures = (String(repeating: "(", count: 32), String(repeating: ")", count: 32))

        _ = try DBusSignature.parse("\(arrays)\(structures.0)i\(structures.1)".utf8)
        #expect(throws: DBusError.self) { try DBusSignature.parse("\(arrays)ai".utf8) }
        #expect(throws: DBusError.self) { try DBusSignature.parse("(\(structures.0)i\(structures.1))".utf8) }
        #expect(throws: DBusError.self) { try DBusSignature.parse("\(structures.0)a{si}\(structures.1)".utf8) }
    }

    @Test func `a signature has 255 bytes at most`() throws {
        let most = try DBusSignature.parse(String(repeating: "y", count: 255).utf8)

        #expect(most.count == 255)
        #expect(throws: DBusError.self) { try DBusSignature.parse(String(repeating: "y", count: 256).utf8) }
    }
}
