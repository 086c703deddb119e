// Licensed under the MIT License. See LICENSE.

/// Writes directory files.
enum FileWriter {
    /// What stands in the place of a secret.
    static let placeholder = "<hidden>"
}
