// Licensed under the MIT License. See LICENSE.

extension MSALConfidentialClientApplication {
    /// The certificate that currently authenticates the application; `nil` for other credentials.
    ///
    /// To call an API that accepts certificate-bound tokens, use mutual TLS with this certificate if its thumbprint
    /// equals the token's ``MSALTokenResult/bindingThumbprint``. A certificate from a file can change over time.
    public var clientCertificate: MSALClientCertificate? { authentication.certificate }
}
