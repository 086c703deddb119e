// Licensed under the MIT License. See LICENSE.

import MSALBase
import Testing

struct NetworkRangeTests {
    // The networks are those of RFC 5737 and RFC 3849, for documentation.
    @Test(arguments: [
        ("192.0.2.0/24", "192.0.2.255", true), ("192.0.2.0/24", "192.0.3.0", false), ("192.0.2.7", "192.0.2.7", true),
        ("198.51.100.128/25", "198.51.100.127", false), ("0.0.0.0/0", "203.0.113.9", true),
        ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/33", "2001:db8:8000::", false),
        ("192.0.2.0/24", "::ffff:192.0.2.1", true), ("::ffff:192.0.2.0", "192.0.2.0", true),
        ("0.0.0.0/0", "2001:db8::1", false), ("192.0.2.0/24", "no address", false),
    ])
    func `a network contains only its own addresses`(network: String, address: String, isInside: Bool) throws {
        let range = try #require(NetworkRange(network))

        #expect(range.contains(address) == isInside)
    }

    @Test(arguments: [
        "", "192.0.2", "192.0.2.0/33", "192.0.2.0/-1", "192.0.2.0/", "2001:db8::/129", "host", "192.0.2.0/8/8",
    ])
    func `other text is not a network`(text: String) {
        #expect(NetworkRange(text) == nil)
    }
}
