// Licensed under the MIT License. See LICENSE.

extension MSALTokenError {
    /// The reason for an error of the kind ``MSALTokenError/Kind/invalidCertificate``. Later versions may add reasons.
    public struct Reason: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The name of the reason. Later versions do not change it.
        public let rawValue: String

        /// A reason by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        private init(_ name: String) { rawValue = name }

        /// The name.
        public var description: String { rawValue }

        /// The file cannot be read.
        public static let unreadable = Reason("unreadable")
        /// There is no certificate.
        public static let noCertificate = Reason("noCertificate")
        /// There is no private key.
        public static let noKey = Reason("noKey")
        /// There are two private keys.
        public static let twoKeys = Reason("twoKeys")
        /// The private key does not match any of the certificates.
        public static let keyMismatch = Reason("keyMismatch")
        /// The private key is not an RSA key. The service accepts only RSA.
        public static let keyType = Reason("keyType")
        /// The RSA key has fewer than 2048 bits.
        public static let keyTooSmall = Reason("keyTooSmall")
        /// The password is wrong or missing.
        public static let password = Reason("password")
        /// The private key uses OpenSSL's legacy encryption (`DEK-Info`), which is not safe.
        public static let legacyEncryption = Reason("legacyEncryption")
        /// The encryption of the private key or the file is not supported.
        public static let unsupportedEncryption = Reason("unsupportedEncryption")
        /// The data is neither PEM nor PKCS#12, or part of it is corrupt.
        public static let malformed = Reason("malformed")
    }
}
