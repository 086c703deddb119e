// Licensed under the MIT License. See LICENSE.

/// The exclusive right to do something that other instances wait for. Each store has its own type, with what it needs
/// to recognize the holder.
public protocol MSALStoreLease: Sendable {
    /// The name that the lease is on.
    var name: MSALStoreName { get }

    /// Greater than the numbers of all earlier leases on the name, and greater than 0.
    var number: UInt64 { get }
}
