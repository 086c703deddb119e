# Licensed under the MIT License. See LICENSE.
"""A web app that signs in with Authlib, with its client secret in the form or in a header, or with its private key.

usage: authlib_app.py PORT                              as in docs/emulator/Clients.md
       authlib_app.py PORT CLIENT_ID METHOD SECRET
       authlib_app.py PORT CLIENT_ID private_key_jwt KEY_FILE THUMBPRINT
"""
import os
import pathlib
import sys

from authlib.integrations.flask_client import OAuth
from authlib.oauth2.rfc7523 import PrivateKeyJWT
from flask import Flask, redirect, session, url_for

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))

import snippets  # noqa: E402

app = Flask(__name__)
app.secret_key = "for this test only"


def of_the_page():
    text, = snippets.blocks("Authlib", "python")
    page = {"app": app}
    exec(text, page)
    return page["entra"]


def registered(client_id, method, secret, thumbprint=None):
    methods = {}
    if thumbprint:
        secret = pathlib.Path(secret).read_text()
        methods = {"client_auth_methods": [PrivateKeyJWT(headers={"x5t": thumbprint})]}
    return OAuth(app).register(
        "entra", client_id=client_id, client_secret=secret,
        server_metadata_url=os.environ["ENTRA_EMULATOR_AUTHORITY"] + "/v2.0/.well-known/openid-configuration",
        client_kwargs={"scope": "openid profile email", "token_endpoint_auth_method": method,
                       "code_challenge_method": "S256"}, **methods)


entra = registered(*sys.argv[2:]) if sys.argv[2:] else of_the_page()


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


app.run("localhost", int(sys.argv[1]))
