// Licensed under the MIT License. See LICENSE.

extension Sequence where Element: Hashable {
    /// The elements without duplicates, in their original order.
    var uniqued: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
