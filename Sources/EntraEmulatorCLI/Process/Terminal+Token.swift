// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation

extension Terminal {
    /// Writes a token. A file or a pipe gets no line break, because programs send the content unchanged.
    func deliver(token: String) throws(OutputError) {
        if isTerminal { try deliver(value: token) } else { try deliver(raw: Data(token.utf8)) }
    }
}
