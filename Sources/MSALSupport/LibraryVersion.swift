// Licensed under the MIT License. See LICENSE.

/// Which version of the library this is.
package enum LibraryVersion {
    /// As told to the service, to people and in log lines.
    package static let text = "0.1.0"
}
