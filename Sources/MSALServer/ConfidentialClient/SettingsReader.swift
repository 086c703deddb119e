// Licensed under the MIT License. See LICENSE.

#if Configuration
    import Configuration

    /// Reads settings, and says which one is malformed.
    struct SettingsReader {
        let reader: ConfigReader
        /// The name above the keys, for messages.
        let prefix: String

        /// The settings of `reader` beneath `prefix`.
        init(_ reader: ConfigReader, beneath prefix: String = "msal") {
            self.reader = reader.scoped(to: ConfigKey(prefix))
            self.prefix = prefix
        }

        /// An empty text is ignored.
        func text(_ key: String, isSecret: Bool = false) -> String? {
            reader.string(forKey: ConfigKey(key), isSecret: isSecret).flatMap { $0.isEmpty ? nil : $0 }
        }

        func required(_ key: String) throws(MSALTokenError) -> String {
            guard let text = text(key) else { throw fault(key, because: "is missing") }
            return text
        }

        func flag(_ key: String) throws(MSALTokenError) -> Bool? {
            if let flag = reader.bool(forKey: ConfigKey(key)) { return flag }
            guard text(key) == nil else { throw fault(key, because: "is neither true nor false") }
            return nil
        }

        func number(_ key: String) throws(MSALTokenError) -> Int? {
            if let number = reader.int(forKey: ConfigKey(key)), number >= 0 { return number }
            guard text(key) == nil, reader.int(forKey: ConfigKey(key)) == nil else {
                throw fault(key, because: "is not a whole number")
            }
            return nil
        }

        /// One text may have several words, with commas between them.
        func list(_ key: String) -> [String] {
            let texts = reader.stringArray(forKey: ConfigKey(key)) ?? text(key).map { [$0] } ?? []
            return texts.flatMap { $0.split { $0 == "," || $0.isWhitespace }.map(String.init) }
        }

        func fault(_ key: String, because words: String) -> MSALTokenError {
            MSALTokenError(.configuration, message: "The setting \(prefix).\(key) \(words).")
        }
    }
#endif
