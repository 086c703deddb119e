# Licensed under the MIT License. See LICENSE.
"""azure-keyvault-secrets and azure-storage-blob with azure-identity, with doubles of both services that validate the token: a
vault names its resource in a challenge, and each service rejects the token for the other."""
import requests
from azure.identity import ClientSecretCredential, InteractiveBrowserCredential
from azure.keyvault.secrets import SecretClient
from azure.storage.blob import BlobServiceClient

from bench import CLIENT_ID, SERVICE_ID, SERVICE_SECRET, TENANT, USER, check
from double import Double
from names import leading

VAULT, ACCOUNT = "contoso.vault.azure.net", "contoso.blob.core.windows.net"


def run(bench):
    options = {"authority": bench.base, "disable_instance_discovery": True}
    daemon = ClientSecretCredential(TENANT, SERVICE_ID, SERVICE_SECRET, **options)
    vault = Double(bench, "https://vault.azure.net", a_secret,
                   challenge=f'Bearer authorization="{bench.authority}", resource="https://vault.azure.net"')
    storage = Double(bench, "https://storage.azure.com", a_blob)
    with vault.serving(bench, VAULT) as port, leading({VAULT: port}):
        secret = SecretClient(f"https://{VAULT}", daemon).get_secret("connection")
        check(secret.value == "of the vault", "a daemon reads a secret")
        check("missing" in vault.calls[0][2] and vault.calls[-1][2]["appid"] == SERVICE_ID,
              "after the challenge that names the vault's resource")
        person = InteractiveBrowserCredential(tenant_id=TENANT, client_id=CLIENT_ID, **options)
        check(SecretClient(f"https://{VAULT}", person).get_secret("connection").value == "of the vault", "a person reads it, too")
        check(vault.calls[-1][2]["upn"] == USER and vault.calls[-1][2]["scp"] == "user_impersonation", "the token is hers")
        others = daemon.get_token("https://storage.azure.com/.default").token
        refused = requests.get(f"https://{VAULT}/secrets/connection", headers={"Authorization": f"Bearer {others}"}, timeout=10)
        check(refused.status_code == 401 and "Audience" in vault.calls[-1][2], "the vault rejects a token for Storage")
    with storage.serving(bench, ACCOUNT) as port, leading({ACCOUNT: port}):
        blobs = BlobServiceClient(f"https://{ACCOUNT}", credential=daemon)
        blob = blobs.get_blob_client("reports", "of-today.txt")
        blob.upload_blob(b"42", overwrite=True)
        check(blob.download_blob().readall() == b"42", "a daemon writes and reads a blob")
        check([call[0] for call in storage.calls] == ["PUT", "GET"] and storage.calls[0][2]["appid"] == SERVICE_ID,
              "the first request already has a token for Storage")


def a_secret(method, path, _):
    assert (method, path) == ("GET", "/secrets/connection/") or path == "/secrets/connection", (method, path)
    return 200, (f'{{"value": "of the vault", "id": "https://{VAULT}/secrets/connection/1", '
                 '"attributes": {"enabled": true}}').encode(), {"Content-Type": "application/json"}


BLOBS = {}


def a_blob(method, path, body):
    facts = {"ETag": '"1"', "Last-Modified": "Fri, 27 Nov 2026 06:00:00 GMT", "x-ms-version": "2021-08-06", "x-ms-blob-type": "BlockBlob"}
    if method == "PUT":
        BLOBS[path] = body
        return 201, b"", facts
    text = BLOBS[path]
    return 206, text, {**facts, "Content-Range": f"bytes 0-{len(text) - 1}/{len(text)}", "Content-Type": "text/plain"}
