// Licensed under the MIT License. See LICENSE.

/// An object that knows its own key.
package protocol KeyedObject: AnyObject, Sendable {
    associatedtype Key: Hashable

    var key: Key { get }
}

/// A bounded table of objects. It stores only the hashes of their keys. The keys live in the objects, which saves
/// memory. A full table drops its oldest object for a new one.
///
/// A lookup compares the object's whole key. Of two objects whose keys have the same hash, the table keeps the later
/// one. So it suits only memories that may forget.
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
