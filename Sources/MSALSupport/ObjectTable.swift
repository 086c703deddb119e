// Licensed under the MIT License. See LICENSE.

/// An object that knows under what it is found.
package protocol KeyedObject: AnyObject, Sendable {
    associatedtype Key: Hashable

    var key: Key { get }
}

/// A limited number of objects by their keys, which they hold themselves: most places of a dictionary are empty, and
/// each would be as large as a key. In a full table the object that came first makes room for the next one.
///
/// Only their hashes are in the table. The object that is found is compared with the whole key, and of two objects whose
/// keys have the same hash the later one is kept: this is for memories, which may forget.
///
/// Every silent request looks here. The table is inlinable, so that the compiler specialises it for its objects in the
/// module that uses it.
package struct ObjectTable<Object: KeyedObject>: Sendable {
    @usableFromInline let capacity: Int
    @usableFromInline var objects: [Int: Object] = [:]
    /// The hashes in the order in which they came, beginning at `oldest`.
    @usableFromInline var order: [Int] = []
    @usableFromInline var oldest = 0

    /// `capacity`: How many objects are kept; at least one.
    @inlinable package init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    /// The object with this key.
    @inlinable package subscript(key: Object.Key) -> Object? {
        guard let object = objects[key.hashValue], object.key == key else { return nil }
        return object
    }

    /// Puts an object in the place of another one with its key.
    @inlinable package mutating func insert(_ object: Object) {
        let hash = object.key.hashValue
        guard objects.updateValue(object, forKey: hash) == nil else { return }
        guard order.count == capacity else { return order.append(hash) }
        objects[order[oldest]] = nil
        order[oldest] = hash
        oldest = (oldest + 1) % capacity
    }
}
