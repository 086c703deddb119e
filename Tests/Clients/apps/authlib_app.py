# Licensed under the MIT License. See LICENSE.
"""A web app that signs in with Authlib, by its client secret in the form or in a header, or by a key of its own.

usage: authlib_app.py PORT AUTHORITY CLIENT_ID METHOD SECRET|KEY_FILE [THUMBPRINT]
"""
import pathlib
import sys

from authlib.integrations.flask_client import OAuth
from authlib.oauth2.rfc7523 import PrivateKeyJWT
from flask import Flask, redirect, session, url_for

port, authority, client_id, method, secret = sys.argv[1:6]
app = Flask(__name__)
app.secret_key = "for this test only"
if method == "private_key_jwt":
    secret = pathlib.Path(secret).read_text()
    client_auth = {"client_auth_methods": [PrivateKeyJWT(headers={"x5t": sys.argv[6]})]}
else:
    client_auth = {}
entra = OAuth(app).register(
    "entra", client_id=client_id, client_secret=secret, server_metadata_url=f"{authority}/v2.0/.well-known/openid-configuration",
    client_kwargs={"scope": "openid profile email", "token_endpoint_auth_method": method, "code_challenge_method": "S256"},
    **client_auth)


@app.get("/ready")
def ready():
    return "ready"


@app.get("/")
def home():
    return f"Hello {session['user']['name']}" if "user" in session else redirect(url_for("login"))


@app.get("/login")
def login():
    return entra.authorize_redirect(url_for("auth", _external=True))


@app.get("/auth")
def auth():
    token = entra.authorize_access_token()
    session["user"] = token["userinfo"]
    return redirect(url_for("home"))


app.run("localhost", int(port))
