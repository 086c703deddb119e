# Licensed under the MIT License. See LICENSE.
"""A web app that signs in with Flask-OIDC.     usage: flask_oidc_app.py PORT AUTHORITY CLIENT_ID SECRET"""
import sys

from flask import Flask, redirect, session, url_for
from flask_oidc import OpenIDConnect

port, authority, client_id, secret = sys.argv[1:]
app = Flask(__name__)
app.config.update(
    SECRET_KEY="for this test only", OIDC_SCOPES="openid email profile",
    OIDC_CLIENT_SECRETS={"web": {"client_id": client_id, "client_secret": secret, "issuer": f"{authority}/v2.0"}})
oidc = OpenIDConnect(app)


@app.get("/ready")
def ready():
    return "ready"


@app.get("/")
@oidc.require_login
def home():
    profile, token = session["oidc_auth_profile"], session["oidc_auth_token"]
    return f"Hello {profile['name']}, {profile['email']}, {token['userinfo']['preferred_username']}"


@app.get("/leave")
def leave():
    """Signs out here, then at the platform, which sends the browser back."""
    session.clear()
    end = oidc.oauth.oidc.load_server_metadata()["end_session_endpoint"]
    return redirect(f"{end}?post_logout_redirect_uri={url_for('farewell', _external=True)}")


@app.get("/authorize/farewell")
def farewell():
    return "Goodbye"


app.run("localhost", int(port))
