// Licensed under the MIT License. See LICENSE.

/// Correction codewords over the field of 256 elements (ISO/IEC 18004, "Error correction coding").
enum ReedSolomon {
    /// The remainder of the data, as a polynomial, after division by the generator polynomial of degree `count`.
    static func remainder(of data: [UInt8], count: Int) -> [UInt8] {
        let generator = generator(count: count)
        var remainder = [UInt8](repeating: 0, count: count)
        for byte in data {
            let factor = byte ^ remainder.removeFirst()
            remainder.append(0)
            for index in remainder.indices { remainder[index] ^= product(generator[index], by: factor) }
        }
        return remainder
    }

    /// The coefficients of the generator polynomial: the product of x - 2^i for each i below the degree. The leading
    /// coefficient is 1 and is left out.
    private static func generator(count: Int) -> [UInt8] {
        var coefficients = [UInt8](repeating: 0, count: count)
        coefficients[count - 1] = 1
        var root: UInt8 = 1
        for _ in 0..<count {
            for index in coefficients.indices {
                coefficients[index] = product(coefficients[index], by: root)
                if index + 1 < count { coefficients[index] ^= coefficients[index + 1] }
            }
            root = product(root, by: 2)
        }
        return coefficients
    }

    /// The product in the field, whose prime polynomial is x^8 + x^4 + x^3 + x^2 + 1.
    static func product(_ first: UInt8, by second: UInt8) -> UInt8 {
        var (sum, shifted, factors) = (0, Int(first), second)
        while factors > 0 {
            if factors & 1 == 1 { sum ^= shifted }
            shifted <<= 1
            if shifted > 0xFF { shifted ^= 0x11D }
            factors >>= 1
        }
        return UInt8(sum)
    }
}
