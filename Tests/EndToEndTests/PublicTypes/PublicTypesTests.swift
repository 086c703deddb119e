// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import MSAL
import MSALServer
import Testing

/// However a public type of any product is printed, no variable, secret or token in it is shown.
@Suite(.timeLimit(.minutes(2))) struct PublicTypesTests {
    /// A part of every text that must not be printed.
    static let mark = "m4rk3d"

    @Test func `no form of printing shows the contents of a value`() async throws {
        let service = try ServiceSamples.all()
        let client = try ClientSamples.all()
        let (emulator, secrets) = try await EmulatorSamples.all()

        for sample in service + client + emulator {
            var dumped = ""
            dump(sample, to: &dumped)
            dump([sample], to: &dumped)
            let mirror = Mirror(reflecting: sample)
            let mirrored = (Array(mirror.children) + Array(mirror.superclassMirror?.children ?? AnyCollection([])))
                .map { "\($0)" }.joined()
            // `print` and a log line show the same text as an interpolation.
            let texts = [dumped, mirrored, "\(sample)", "\([sample])", String(reflecting: sample)]

            for text in texts {
                for secret in secrets + [Self.mark] {
                    #expect(!text.contains(secret), "\(type(of: sample)) shows \(secret)")
                }
            }
        }
    }

    @Test(arguments: ClientSamples.closed + ServiceSamples.closed + EmulatorSamples.closed)
    func `a type that contains secrets has a closed mirror`(_ type: Named) {
        let isClosed =
            type.type is any MSAL.RedactedReflection.Type || type.type is any MSALServer.ServerRedactedReflection.Type
            || type.type is any EntraEmulator.EmulatorRedactedReflection.Type

        #expect(isClosed)
    }

    @Test func `every public type is closed, is printed here, or has a reason to contain no secret`() async throws {
        let types = try PublicDeclarations.types()
        let samples = try await EmulatorSamples.all().samples + ServiceSamples.all() + ClientSamples.all()
        let closed = Set((ClientSamples.closed + ServiceSamples.closed + EmulatorSamples.closed).map(\.name))
        let printed = Set(samples.map { Named(Swift.type(of: $0)).name })
        let harmless = ClientSamples.harmless.merging(ServiceSamples.harmless) { first, _ in first }
            .merging(EmulatorSamples.harmless) { first, _ in first }
        let named = Set(harmless.values.joined())

        func isClosed(_ name: String) -> Bool {
            closed.contains(name) || types[name].map(isClosed) ?? false
        }
        let missing = types.keys.filter { !isClosed($0) && !printed.contains($0) && !named.contains($0) }

        #expect(missing.sorted() == [])
        #expect(named.subtracting(types.keys) == [])
        #expect(closed.subtracting(types.keys) == [])
    }
}

/// A type with its name as `<product>.<type>`.
struct Named: CustomTestStringConvertible, Sendable {
    let type: Any.Type
    var name: String { String(reflecting: type) }
    var testDescription: String { name }

    init(_ type: Any.Type) { self.type = type }
}
