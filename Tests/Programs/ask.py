# Licensed under the MIT License. See LICENSE.
import msal
application = msal.PublicClientApplication("YOUR-CLIENT-ID")
result = application.acquire_token_interactive(["User.Read"])
print(result["id_token_claims"]["preferred_username"])
