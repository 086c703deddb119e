// Licensed under the MIT License. See LICENSE.

import Testing

@testable import DBus

@Suite struct DBusErrorTests {
    @Test func carriesTheKindOfFailure() {
        #expect(DBusError(.noBus, "There is no session bus.").kind == .noBus)
    }
}
