// Licensed under the MIT License. See LICENSE.

import MSALBase
import Testing

struct RandomBytesTests {
    @Test(arguments: [0, 1, 7, 8, 9, 64])
    func `random bytes have the requested count and do not repeat`(count: Int) {
        let bytes = [UInt8].random(count: count)

        #expect(bytes.count == count)
        #expect(count < 8 || bytes != [UInt8].random(count: count))
    }

    @Test func `every value of a byte occurs`() {
        #expect(Set([UInt8].random(count: 1 << 16)).count == 256)
    }
}
