// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALServer
import MSALStoreConformance
import Testing

@testable import SignInWebApp

/// The sessions of the example web application: which tokens a sign-out removes, and what instances share.
struct ExampleSessionsTests {
    private static let secret = Data((0..<32).map { UInt8($0) })

    /// The same sessions in two instances of the application, or twice in one that keeps them in memory.
    struct Instances: CustomTestStringConvertible {
        let testDescription: String
        let here: Sessions
        let there: Sessions

        static var all: [Instances] {
            let memory = Sessions()
            let store = MSALMemoryStore()
            let shared = (0..<2).map { _ in Sessions(shared: SharedShelf(store, secret: secret)) }
            return [
                Instances(testDescription: "in the memory", here: memory, there: memory),
                Instances(testDescription: "in a store", here: shared[0], there: shared[1]),
            ]
        }
    }

    private func open(
        _ user: String,
        serviceSession: String = "service-1",
        in sessions: Sessions
    ) async throws -> String {
        let claims: [String: MSALClaimValue] = ["name": .string("Megan Bowen"), "sid": .string(serviceSession)]
        let token = CachedAccessToken(
            accessToken: Secret("at"),
            life: .init(until: 4_000_000_000),
            scopes: ["User.Read"],
            user: TokenUser(homeAccountID: user, claims: claims)
        )
        return try await sessions.open(MSALTokenResult(token, source: .service), user: user)
    }

    @Test(arguments: Instances.all)
    func `a sign-out in one browser leaves the user's tokens to the other browsers`(_ site: Instances) async throws {
        let laptop = try await open("megan", in: site.here)
        let phone = try await open("megan", in: site.there)

        let first = try await site.there.close(laptop)
        let isPhoneSignedIn = try await site.here.session(phone) != nil
        let last = try await site.here.close(phone)

        #expect(first == [] && last == ["megan"])
        #expect(isPhoneSignedIn)
    }

    @Test(arguments: Instances.all)
    func `a sign-out everywhere closes all of the user's sessions and no others`(_ site: Instances) async throws {
        let laptop = try await open("megan", in: site.here)
        let phone = try await open("megan", in: site.there)
        let other = try await open("alex", in: site.there)

        let ended = try await site.there.close(user: "megan")

        #expect(ended == ["megan"])
        var isOpen: [Bool] = []
        for name in [laptop, phone, other] { isOpen.append(try await site.here.session(name) != nil) }
        #expect(isOpen == [false, false, true])
    }

    @Test(arguments: Instances.all)
    func `a sign-out at the service closes the sessions that belong to it`(_ site: Instances) async throws {
        let laptop = try await open("megan", in: site.here)
        let phone = try await open("megan", serviceSession: "service-2", in: site.here)

        let ended = try await site.there.close(serviceSession: "service-1")

        #expect(ended == [])
        let (isLaptopOpen, isPhoneOpen) = (
            try await site.there.session(laptop) != nil, try await site.there.session(phone) != nil
        )
        #expect(!isLaptopOpen && isPhoneOpen)
    }

    @Test(arguments: Instances.all)
    func `a sign-in that begins on one instance is completed on another one, and once`(_ site: Instances) async throws {
        let story = try WebAppStory()
        let requests = [try await story.begin(), try await story.begin()]
        let visit = try await site.here.begin(requests[0], visit: nil)
        let same = try await site.there.begin(requests[1], visit: visit)
        let response = try story.response(to: requests[0])

        let taken = try await site.there.take(for: response, visit: visit)
        let again = try await site.here.take(for: response, visit: visit)
        let other = try await site.here.take(for: try story.response(to: requests[1]), visit: visit)

        #expect(same == visit)
        #expect(taken?.correlationID == requests[0].correlationID && again == nil)
        #expect(other?.correlationID == requests[1].correlationID)
    }

    @Test func `the content of the store can be read only with the secret`() async throws {
        let store = MSALMemoryStore()
        let name = try await open("megan", in: Sessions(shared: SharedShelf(store, secret: Self.secret)))

        let strange = Sessions(shared: SharedShelf(store, secret: Data(repeating: 7, count: 16) + Data(0..<16)))
        let texts = store.names.map { $0.partition.text + $0.text }
        let values = try await store.read(Array(store.names)).compactMap { $0?.value }

        #expect(try await strange.session(name) == nil)
        #expect(values.count == 3)
        for text in texts + values.map({ String(decoding: $0, as: UTF8.self) }) {
            #expect(!text.contains("megan") && !text.contains("Bowen") && !text.contains(name))
        }
    }

    @Test func `anonymous users who begin sign-ins fill the memory only up to its limit`() async throws {
        let shelf = MemoryShelf(mostValues: 3)
        for number in 0..<5 {
            let isWritten = await shelf.write(Data(), to: "visit \(number)", lifetime: .seconds(60), over: nil)
            #expect(isWritten)
        }

        var isKept: [Bool] = []
        for number in 0..<5 { isKept.append(await shelf.read("visit \(number)") != nil) }

        #expect(isKept == [false, false, true, true, true])
    }
}
