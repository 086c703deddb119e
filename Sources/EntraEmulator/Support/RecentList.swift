// Licensed under the MIT License. See LICENSE.

import Synchronization

/// A list of events since the start or the last reset. If there are too many, the oldest are removed.
final class RecentList<Element: Sendable>: Sendable {
    private let storage = Mutex<[Element]>([])
    private let limit = 1_000

    /// All elements, oldest first.
    var elements: [Element] { storage.withLock { $0 } }

    /// Adds an element, which replaces the last one of the same event.
    func append(_ element: Element, replacing isSameEvent: ((Element) -> Bool)? = nil) {
        storage.withLock { elements in
            if let isSameEvent, let index = elements.lastIndex(where: isSameEvent) { elements.remove(at: index) }
            if elements.count >= limit { elements.removeFirst(limit / 10) }
            elements.append(element)
        }
    }

    /// Forgets all elements.
    func clear() { storage.withLock { $0.removeAll() } }
}
