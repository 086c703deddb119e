// Licensed under the MIT License. See LICENSE.

import MSAL
import Testing

struct AuthMethodTests {
    @Test(arguments: ["l***@contoso.com", nil])
    func `the address of a method is optional, and a text for code of MSAL 1.6 to 2.4`(_ address: String?) {
        let method = MSALAuthMethod(
            id: "1",
            challengeType: "oob",
            channelTargetType: MSALNativeAuthChannelType(value: "email"),
            loginHint: address
        )

        let earlier: String = method.loginHint
        if let hint = method.loginHint { #expect(hint == address) } else { #expect(address == nil) }
        #expect(method.loginHint == address)
        #expect(earlier == address ?? "")
        #expect(method.loginHint.count == (address ?? "").count)
    }
}
