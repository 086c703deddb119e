# Licensed under the MIT License. See LICENSE.
"""An API that accepts only the emulator's tokens."""
import http.server
import os

import jwt

TENANT = "11111111-1111-1111-1111-111111111111"
AUDIENCE = "00000000-0000-4000-8000-0000000000a1"
# The keys come from the container's host name, while the issuer is the address that the browser uses.
KEYS = jwt.PyJWKClient(f"{os.environ['ENTRA_EMULATOR_URL']}/{TENANT}/discovery/v2.0/keys")
ISSUER = f"https://localhost:8443/{TENANT}/v2.0"


class API(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        try:
            claims = jwt.decode(token, KEYS.get_signing_key_from_jwt(token), algorithms=["RS256"], audience=AUDIENCE, issuer=ISSUER)
        except jwt.PyJWTError as reason:
            return self.answer(401, f"refused: {reason}")
        self.answer(200, f"{claims['preferred_username']} may {claims['scp']}")

    def answer(self, status, text):
        self.send_response(status)
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())


http.server.ThreadingHTTPServer(("0.0.0.0", 8000), API).serve_forever()
