// Licensed under the MIT License. See LICENSE.

package import Foundation

extension Data {
    /// The UTF-8 bytes of a text.
    ///
    /// `Data(text.utf8)` asks the runtime whether the view can provide its bytes. That is slow the first time in a
    /// process, so code that runs at every start uses this initializer.
    package init(utf8 text: String) {
        var text = text
        self = text.withUTF8 { Data(buffer: $0) }
    }
}
