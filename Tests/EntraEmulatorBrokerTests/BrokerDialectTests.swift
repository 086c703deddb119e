// Licensed under the MIT License. See LICENSE.

import EntraEmulatorBroker
import Testing

struct BrokerDialectTests {
    @Test func `there are the three known dialects`() {
        #expect(BrokerDialect.allCases.map(\.rawValue) == ["early", "current", "himmelblau"])
    }
}
