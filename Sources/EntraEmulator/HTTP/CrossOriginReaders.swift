// Licensed under the MIT License. See LICENSE.

/// The scripts of other origins that may read responses: values of `Access-Control-Allow-Origin` (Fetch Standard, "CORS
/// protocol"); `nil` allows none.
struct CrossOriginReaders {
    /// For the response to a preflight request.
    var preflight: String?
    /// For all other responses.
    var origin: String?

    static let none = CrossOriginReaders()
    static let all = CrossOriginReaders(preflight: "*", origin: "*")
}
