// Licensed under the MIT License. See LICENSE.

package import Foundation

extension Data {
    /// The bytes of a text.
    ///
    /// `Data(text.utf8)` asks the runtime whether the view can lend its bytes, which is slow the first time in a
    /// process: this is for what runs at every start.
    package init(utf8 text: String) {
        var text = text
        self = text.withUTF8 { Data(buffer: $0) }
    }
}
