# Licensed under the MIT License. See LICENSE.
"""rclone under Microsoft's names: it signs a person in with her browser, and refreshes the token by itself."""
import json
import shutil

from bench import SERVICE_ID, SERVICE_SECRET, USER, check, claims_of

SCRIPT = """
set -e
rclone authorize onedrive "$1" "$2" > authorized
token=$(sed -n '/^{/p' authorized)
echo "$token"
expired=$(echo "$token" | sed 's/"expiry":"[^"]*"/"expiry":"2020-01-01T00:00:00Z"/')
export RCLONE_CONFIG=$PWD/rclone.conf
printf '[drive]\\ntype = onedrive\\nclient_id = %s\\nclient_secret = %s\\ndrive_id = 1\\ndrive_type = business\\ntoken = %s\\n' \\
    "$1" "$2" "$expired" > rclone.conf
rclone lsd --retries 1 --low-level-retries 1 drive: 2>&1 || true
sed -n 's/^token = //p' rclone.conf
"""


def run(bench):
    if not shutil.which("rclone"):
        print("--  skipped: rclone is not installed")
        return
    done = bench.as_service("sh", "-c", SCRIPT, "sh", SERVICE_ID, SERVICE_SECRET)
    if done is None:
        return
    check(done.returncode == 0, f"rclone succeeds{done.stderr if done.returncode else ''}")
    tokens = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    claims = claims_of(tokens[0]["access_token"])
    check(claims["upn"] == USER and "Files.ReadWrite.All" in claims["scp"].split(), "rclone signs Megan in, for her files")
    check("otImplemented" in done.stdout, "Graph responds that drives are not implemented")
    check(tokens[-1]["access_token"] != tokens[0]["access_token"], "rclone used a refreshed token")
