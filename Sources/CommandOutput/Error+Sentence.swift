// Licensed under the MIT License. See LICENSE.

import Foundation

extension Error {
    /// The error as a message for people.
    ///
    /// Foundation's messages about a file omit which file it is, so this message starts with the file, followed by the
    /// system's reason and, for a temporary file, how to choose another location.
    package var sentence: String {
        let error = self as NSError
        guard error.domain == NSCocoaErrorDomain,
            let path = error.userInfo[NSFilePathErrorKey] as? String ?? (error.userInfo[NSURLErrorKey] as? URL)?.path
        else { return localizedDescription }
        let isTemporary = path.hasPrefix(FileManager.default.temporaryDirectory.path)
        return "cannot use \(path): \(systemReason)"
            + (isTemporary ? ". Set TMPDIR to a writable folder" : "")
    }

    /// The system's reason if it is known, otherwise Foundation's message.
    public var systemReason: String {
        let underlying = (self as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
        let cause = (underlying ?? self) as NSError
        guard cause.domain == NSPOSIXErrorDomain, let code = CInt(exactly: cause.code) else {
            return localizedDescription
        }
        return String(cString: strerror(code))
    }
}
