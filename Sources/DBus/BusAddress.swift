// Licensed under the MIT License. See LICENSE.

/// The address of a bus. Only the transport of session buses on Linux is supported: Unix sockets (D-Bus specification,
/// "Server addresses").
package struct BusAddress: Sendable, Hashable {
    /// A Unix socket.
    package enum Socket: Sendable, Hashable {
        /// A socket with a path in the file system.
        case path(String)
        /// A socket with a name in Linux's abstract namespace.
        case abstract(String)
    }

    package let socket: Socket
    /// The identifier of the bus: 32 lowercase hexadecimal digits. Another bus at the same address has another one.
    package let guid: String?

    package init(_ socket: Socket, guid: String? = nil) {
        self.socket = socket
        self.guid = guid
    }

    /// The addresses of the session bus, in the order in which to try them.
    ///
    /// `$DBUS_SESSION_BUS_ADDRESS` if it is set, otherwise `bus` in `$XDG_RUNTIME_DIR`. Transports other than Unix
    /// sockets and malformed addresses are skipped.
    package static func session(_ environment: [String: String]) -> [BusAddress] {
        let runtime = environment["XDG_RUNTIME_DIR"].flatMap {
            $0.hasPrefix("/") ? BusAddress(.path($0 + "/bus")) : nil
        }
        guard let text = environment["DBUS_SESSION_BUS_ADDRESS"], !text.isEmpty else {
            return runtime.map { [$0] } ?? []
        }
        return text.split(separator: ";").compactMap { parse($0, runtime: runtime) }
    }

    private static func parse(_ text: Substring, runtime: BusAddress?) -> BusAddress? {
        guard text.hasPrefix("unix:") else { return nil }
        var values: [Substring: String] = [:]
        for pair in text.dropFirst(5).split(separator: ",") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let value = unescaped(parts[1]), values.updateValue(value, forKey: parts[0]) == nil
            else { return nil }
        }
        let guid = values["guid"]?.lowercased()
        if let guid, !isGUID(guid) { return nil }
        switch (values["path"], values["abstract"], values["runtime"]) {
        case (let path?, nil, nil): return BusAddress(.path(path), guid: guid)
        case (nil, let name?, nil): return BusAddress(.abstract(name), guid: guid)
        case (nil, nil, "yes"): return runtime.map { BusAddress($0.socket, guid: guid) }
        default: return nil
        }
    }

    /// Whether a text is 16 bytes in hexadecimal (D-Bus specification, "UUIDs").
    private static func isGUID(_ text: String) -> Bool {
        text.utf8.count == 32 && text.utf8.allSatisfy { hexadecimal($0) != nil }
    }

    /// Decodes percent-encoding. Returns `nil` for a malformed escape, for bytes that are not UTF-8, and for a null
    /// byte.
    private static func unescaped(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(hexadecimal), let low = rest.popFirst().flatMap(hexadecimal) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        Character(UnicodeScalar(byte)).hexDigitValue.flatMap(UInt8.init(exactly:))
    }
}
