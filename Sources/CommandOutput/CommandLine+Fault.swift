// Licensed under the MIT License. See LICENSE.

extension CommandLine {
    /// The reason why this process cannot know its arguments, with a remedy; `nil` if it knows them.
    ///
    /// On Linux the Swift runtime reads them from `/proc`. A program that is started always has its own name among them.
    public static var fault: String? {
        guard arguments.isEmpty else { return nil }
        return "The arguments cannot be read, because /proc is not mounted. Mount it first: mount -t proc proc /proc"
    }
}
