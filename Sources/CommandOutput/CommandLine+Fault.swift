// Licensed under the MIT License. See LICENSE.

extension CommandLine {
    /// Explains why this process cannot read its arguments, with a remedy; `nil` if it can.
    ///
    /// On Linux, the Swift runtime reads them from `/proc`. The arguments always include the program's own name.
    public static var fault: String? {
        guard arguments.isEmpty else { return nil }
        return "The arguments cannot be read, because /proc is not mounted. Mount it first: mount -t proc proc /proc"
    }
}
