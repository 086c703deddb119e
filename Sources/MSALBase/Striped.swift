// Licensed under the MIT License. See LICENSE.

import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A set of values, of which each thread uses one, so that two threads write to different cache lines and no processor
/// waits for another's cache.
///
/// From the 33rd thread on, several threads share a value. Therefore, each value has a lock or is atomic, which costs
/// almost nothing without contention.
package struct Striped<Value: ~Copyable & Sendable>: ~Copyable, @unchecked Sendable {
    // Proof for `@unchecked Sendable`: the pointer never changes, and the values that it points to are Sendable.
    private let places: UnsafeMutableRawPointer

    // Computed because a generic type cannot have stored static properties.
    private static var count: Int { 32 }
    /// Two cache lines because processors fetch them in pairs.
    private static var line: Int { 128 }
    private static var size: Int { (MemoryLayout<Value>.size + line - 1) / line * line }

    /// `value`: Creates one of the values.
    package init(_ value: () -> Value) {
        places = .allocate(byteCount: Self.count * Self.size, alignment: Self.line)
        for number in 0..<Self.count { place(number).initialize(to: value()) }
    }

    deinit {
        for number in 0..<Self.count { place(number).deinitialize(count: 1) }
        places.deallocate()
    }

    private func place(_ number: Int) -> UnsafeMutablePointer<Value> {
        (places + number * Self.size).assumingMemoryBound(to: Value.self)
    }

    /// Uses the value of this thread.
    @inline(__always)
    package func withOwn<Result: ~Copyable, Failure: Error>(
        _ body: (borrowing Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(place(ThreadNumber.current & (Self.count - 1)).pointee)
    }

    /// Uses the values one after another.
    package func forEach<Failure: Error>(_ body: (borrowing Value) throws(Failure) -> Void) throws(Failure) {
        for number in 0..<Self.count { try body(place(number).pointee) }
    }
}

/// Numbers threads in the order of their first use.
private enum ThreadNumber {
    /// The number of this thread, starting at 1, stored directly in the thread-specific pointer.
    static var current: Int {
        let known = Int(bitPattern: pthread_getspecific(key))
        if known != 0 { return known }
        let number = last.wrappingAdd(1, ordering: .relaxed).newValue
        pthread_setspecific(key, UnsafeRawPointer(bitPattern: number))
        return number
    }

    private static let last = Atomic(0)

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()
}
