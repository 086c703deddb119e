// Licensed under the MIT License. See LICENSE.

extension String {
    /// The number of letters that are missing, extra, wrong, or swapped with a neighbor, ignoring case.
    ///
    /// This is the optimal string alignment distance.
    public func editDistance(to other: String) -> Int {
        let (from, to) = (Array(lowercased()), Array(other.lowercased()))
        var rows = [Array(0...to.count)]
        for i in from.indices {
            var row = [i + 1]
            for j in to.indices {
                var best = Swift.min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (from[i] == to[j] ? 0 : 1))
                if i > 0, j > 0, from[i] == to[j - 1], from[i - 1] == to[j] {
                    best = Swift.min(best, rows[i - 1][j - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[from.count][to.count]
    }
}
