// Licensed under the MIT License. See LICENSE.

/// An object that knows under what it is found.
protocol KeyedObject: AnyObject, Sendable {
    associatedtype Key: Hashable

    var key: Key { get }
}

/// Objects by their keys, which they hold themselves: most places of a dictionary are empty, and each would be as large
/// as a key.
///
/// Only their hashes are in the table. What is found is compared with the whole key, and of two objects whose keys have
/// the same hash the later one is kept: this is for memories, which may forget.
struct ObjectTable<Object: KeyedObject>: Sendable {
    private var objects: [Int: Object] = [:]

    var count: Int { objects.count }

    /// The object with this key.
    subscript(key: Object.Key) -> Object? {
        guard let object = objects[key.hashValue], object.key == key else { return nil }
        return object
    }

    /// Puts an object in the place of another one with its key.
    mutating func insert(_ object: Object) { objects[object.key.hashValue] = object }

    mutating func removeAll() { objects.removeAll(keepingCapacity: true) }
}
