// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation

extension Terminal {
    /// Writes a token. A file or a pipe gets no line break, because programs send what is there as it is.
    func deliver(token: String) throws(OutputError) {
        if isTerminal { try deliver(value: token) } else { try deliver(raw: Data(token.utf8)) }
    }
}
