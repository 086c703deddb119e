// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import Testing

@testable import EntraEmulator

/// Dates in files and requests.
struct DateTextTests {
    @Test(arguments: [
        "2026-02-30T00:00:00Z", "2027-02-29T00:00:00Z", "2026-04-31T10:00:00Z", "2026-13-01T00:00:00Z",
        "2026-00-10T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:61:00Z", "2026-02-30T00:00:00.5Z",
        "2026-02-30T00:00:00+02:00", "2026-02-30", "2026-9-1", "tomorrow", "",
    ])
    func `a date that does not exist is refused`(text: String) {
        #expect(Date(iso8601: text) == nil)
        #expect(FileDate.normalized(text) == nil)
        #expect(Date(iso8601Day: text) == nil)
    }

    @Test(arguments: [
        ("2028-02-29T00:00:00Z", "2028-02-29T00:00:00Z"), ("2026-09-21T15:13:20.250Z", "2026-09-21T15:13:20Z"),
        ("2026-09-21T15:13:20+02:00", "2026-09-21T13:13:20Z"), ("2026-12-31T23:30:00-01:00", "2027-01-01T00:30:00Z"),
        ("2028-02-29", "2028-02-29T00:00:00Z"),
    ])
    func `a date that exists is read`(text: String, normalized: String) {
        #expect(FileDate.normalized(text) == normalized)
    }
}
