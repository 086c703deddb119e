# Licensed under the MIT License. See LICENSE.
"""Prints the latest code that the emulator sent to an address.

usage: outbox.py CONSOLE CONTROL_TOKEN CA_FILE ADDRESS
"""
import json
import ssl
import sys
import urllib.request

console, token, ca_file, address = sys.argv[1:]
request = urllib.request.Request(f"{console}/outbox", headers={"Authorization": f"Bearer {token}"})
with urllib.request.urlopen(request, context=ssl.create_default_context(cafile=ca_file)) as answer:
    messages = json.load(answer)["messages"]
codes = [message["code"] for message in messages if message["recipient"].lower() == address.lower()]
sys.exit(f"nothing was sent to {address}") if not codes else print(codes[-1])
