// Licensed under the MIT License. See LICENSE.

/// The version of the library.
package enum LibraryVersion {
    /// The version that the service, users, and log lines see.
    package static let text = "0.10.0"
}
