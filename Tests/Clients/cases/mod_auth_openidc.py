# Licensed under the MIT License. See LICENSE.
"""Apache with mod_auth_openidc, configured as in docs/emulator/Clients.md."""
import pathlib
import subprocess

import snippets
from bench import USER, check, free_port

MODULES = pathlib.Path("/usr/lib/apache2/modules")
# The usual configuration of a Debian server.
SERVER = """
ServerName localhost
Listen 127.0.0.1:{port}
PidFile "{folder}/apache.pid"
ErrorLog "{folder}/error.log"
DocumentRoot "{folder}/htdocs"
Header always set Remote-User "expr=%{{REMOTE_USER}}"
"""
NEEDED = ("mpm_event", "authn_core", "authz_core", "authz_user", "dir", "headers", "auth_openidc")


def run(bench):
    if not (MODULES / "mod_auth_openidc.so").exists():
        print("--  skipped: mod_auth_openidc is not installed")
        return
    port, title = free_port(), "Apache with mod_auth_openidc"
    shell = snippets.Shell(bench)
    told = [line.removeprefix("# ") for line in shell.run(title).splitlines() if line.startswith("# OIDC")]
    block, = snippets.blocks(title, "apache")
    (bench.folder / "htdocs").mkdir()
    (bench.folder / "htdocs" / "index.html").write_text("Hello")
    # Root runs the server as another user, who must be able to read the folder.
    bench.folder.chmod(0o755)
    lines = [f"LoadModule {name}_module {MODULES}/mod_{name}.so" for name in NEEDED]
    configuration = bench.folder / "apache.conf"
    configuration.write_text("\n".join([*lines, SERVER.format(port=port, folder=bench.folder), *told,
                                        block.replace("5000", str(port))]))
    with bench.server(["apache2", "-X", "-f", str(configuration)], port, "/callback"):
        person = bench.person()
        page = person.open(f"http://localhost:{port}/")
        check(page.text == "Hello" and page.headers["Remote-User"] == USER, "mod_auth_openidc signs Megan in, and passes her name on")
