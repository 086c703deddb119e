// Licensed under the MIT License. See LICENSE.

/// The version of the library.
package enum LibraryVersion {
    /// The version as the service, people and log lines see it.
    package static let text = "0.9.0"
}
