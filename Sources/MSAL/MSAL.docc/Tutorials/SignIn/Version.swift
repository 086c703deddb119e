import MSAL

@main struct Hello {
    static func main() {
        print("This is MSAL \(MSALPublicClientApplication.sdkVersion ?? "of no version").")
    }
}
