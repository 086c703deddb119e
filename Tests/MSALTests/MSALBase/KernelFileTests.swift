// Licensed under the MIT License. See LICENSE.

import Testing

@testable import MSAL
@testable import MSALBase

struct KernelFileTests {
    // The memory map of a process has many pages, and the stack is among the last entries.
    @Test func `a kernel file is read to its end`() throws {
        let text = try #require(KernelFile.text(at: "/proc/self/smaps"))

        #expect(text.utf8.count > 16_384)
        #expect(text.contains("[stack]"))
    }

    @Test func `a missing file has no text`() {
        #expect(KernelFile.text(at: "/proc/self/nothing") == nil)
    }
}
