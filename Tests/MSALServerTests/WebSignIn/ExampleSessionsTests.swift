// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALServer
import Testing

@testable import SignInWebApp

/// The sessions of the example web application: whose tokens a sign-out removes.
struct ExampleSessionsTests {
    private let sessions = Sessions()

    private func open(_ user: String, serviceSession: String = "service-1") async -> String {
        let claims: [String: MSALClaimValue] = ["name": .string("Megan Bowen"), "sid": .string(serviceSession)]
        let token = AppToken(
            accessToken: Secret("at"),
            life: .init(until: 4_000_000_000),
            scopes: ["User.Read"],
            user: TokenUser(homeAccountID: user, claims: claims)
        )
        return await sessions.open(MSALTokenResult(token, source: .service), user: user)
    }

    @Test func `a sign-out in one browser leaves the user's tokens to the other browsers`() async {
        let (laptop, phone) = (await open("megan"), await open("megan"))

        let first = await sessions.close(laptop)
        let isPhoneSignedIn = await sessions.session(phone) != nil
        let last = await sessions.close(phone)

        #expect(first == [] && last == ["megan"])
        #expect(isPhoneSignedIn)
    }

    @Test func `a sign-out everywhere closes all of the user's sessions and no others`() async {
        let (laptop, phone, other) = (await open("megan"), await open("megan"), await open("alex"))

        let ended = await sessions.close(user: "megan")

        #expect(ended == ["megan"])
        let names = [laptop, phone, other]
        var isOpen: [Bool] = []
        for name in names { isOpen.append(await sessions.session(name) != nil) }
        #expect(isOpen == [false, false, true])
    }

    @Test func `a sign-out at the service closes the sessions that belong to it`() async {
        let (laptop, phone) = (await open("megan"), await open("megan", serviceSession: "service-2"))

        let ended = await sessions.close(serviceSession: "service-1")

        #expect(ended == [])
        #expect(await sessions.session(laptop) == nil)
        #expect(await sessions.session(phone) != nil)
    }
}
