# Licensed under the MIT License. See LICENSE.
"""Prints the grants in a journal of the emulator, and the paths of the requests that it rejected."""
import json, sys
entries = json.load(sys.stdin)["entries"]
grants = [entry["form"]["grant_type"] for entry in entries if entry["path"].endswith("/token")]
print(grants, [entry["path"] for entry in entries if entry.get("refusal") or entry["status"] >= 400])
