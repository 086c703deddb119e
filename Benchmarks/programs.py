# Licensed under the MIT License. See LICENSE.
"""Measures whole programs from exec to exit, and their peak memory: `msal`, its credential helpers, and programs that get the same
token with other libraries. Stores and caches have one account unless the row says otherwise.
"""
import contextlib
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import figures
import helpers
import products
import tables
from harness import CLIENT_ID, TENANT, Emulator, shared_cache, with_peak_memory

ROUNDS = 30
HOST = "login.microsoftonline.com"
SCOPE = "https://graph.microsoft.com/user.read"
EMPTY = "an empty Swift program, linked statically"
# The Azure CLI's own client ID, and the scope of its tokens for Azure Resource Manager.
AZURE_CLI, MANAGEMENT = "04b07795-8ddb-461a-bbee-02f9e1bf7b46", "https://management.core.windows.net//.default"


def run(command, environment, standard_input=os.devnull):
    """Elapsed and CPU time of a program in microseconds. Uses posix_spawn, so that forking this process is not measured."""
    null = os.open(os.devnull, os.O_WRONLY)
    actions = [(os.POSIX_SPAWN_OPEN, 0, str(standard_input), os.O_RDONLY, 0),
               (os.POSIX_SPAWN_DUP2, null, 1), (os.POSIX_SPAWN_DUP2, null, 2)]
    begin = time.perf_counter()
    process = os.posix_spawn(command[0], command, environment, file_actions=actions)
    _, status, usage = os.wait4(process, 0)
    elapsed = time.perf_counter() - begin
    os.close(null)
    if status:
        raise SystemExit(f"{' '.join(command)} failed with status {status}")
    return 1e6 * elapsed, 1e6 * (usage.ru_utime + usage.ru_stime)


def in_turns(group, programs, target=None, reference=None):
    """Prints elapsed and CPU time of commands, and returns the medians. They take turns, so that machine load affects all equally."""
    times = {title: [] for title in programs}
    for _ in range(ROUNDS):
        for title, call in programs.items():
            times[title].append(run(*call))
    medians = {}
    for title, runs in times.items():
        cpu = figures.text(statistics.median(cpu for _, cpu in runs), "microseconds")
        medians[title] = group.row(title, [elapsed for elapsed, _ in runs], "microseconds",
                                   target if title.startswith("msal token") else None, remark=f"CPU {cpu}")
        if reference and title.startswith("msal token"):
            group.row(f"{title}, relative to an empty program", medians[title] / medians[reference], "ratio", 2.5)
    return medians


def token_commands(msal, folder, most):
    """`msal token` with filled stores. Keys are in files."""
    commands = {"msal version": ([str(msal), "version"], os.environ)}
    for accounts in [size for size in (1, 1000, 100_000) if size <= most]:
        store = folder / f"accounts-{accounts}"
        if not store.exists():
            store.mkdir()
            subprocess.run([str(products.driver()), "fill", str(store), "msal.cli", str(accounts)], check=True)
        environment = {
            **os.environ, "MSAL_CLIENT_ID": CLIENT_ID, "MSAL_SCOPES": SCOPE, "MSAL_AUTHORITY": f"https://{HOST}/{TENANT}",
            "MSAL_STORE_KEY": "key-file", "MSAL_STORE_DIR": str(store), "XDG_CONFIG_HOME": str(folder / "config"),
        }
        token = [str(msal), "token", "--output", "raw"]
        if accounts == 1:
            commands["msal token, 1 account"] = (token, environment)
        named = [*token, "--account", f"user-{accounts // 2}@contoso.example"]
        commands[f"msal token --account, {accounts} account{'s' if accounts > 1 else ''}"] = (named, environment)
    return commands


def other_commands(folder, stack):
    """Programs that print a token out of a cache with other libraries. Lists those that cannot be measured, with the reason."""
    commands = {}
    for title, command in (("Go program with MSAL Go", go_command), ("Python script with MSAL Python", python_command),
                           ("az account get-access-token", az_command)):
        try:
            commands[title] = command(folder, stack)
        except products.NotMeasured as reason:
            print(f"{title} is not measured: {reason}")
    return commands


def go_command(folder, _):
    program, cache = products.msal_go(), folder / "go.json"
    subprocess.run([program, "fill", str(cache)], check=True)
    return [program, "token", str(cache)], os.environ


def python_command(folder, _):
    cache = folder / "python.json"
    cache.write_text(shared_cache(1, HOST, SCOPE))
    return [products.python(), str(products.ROOT / "Benchmarks" / "msal_python.py"), "token", str(cache)], os.environ


def az_command(folder, stack):
    """The Azure CLI, with a user whose token is in its cache. The endpoint serves the metadata, which it fetches in each call."""
    program = shutil.which("az")
    if not program:
        raise products.NotMeasured("it is not installed.")
    home, endpoint = folder / "az", folder / "az-endpoint"
    home.mkdir(exist_ok=True)
    cache = shared_cache(1, HOST, MANAGEMENT).replace(CLIENT_ID, AZURE_CLI)
    (home / "msal_token_cache.json").write_text(cache)
    user = {"name": "user-0@contoso.example", "type": "user"}
    subscription = {"id": TENANT, "name": "Contoso subscription", "state": "Enabled", "user": user, "isDefault": True,
                    "tenantId": TENANT, "homeTenantId": TENANT, "environmentName": "AzureCloud", "managedByTenants": []}
    (home / "azureProfile.json").write_text(json.dumps({"subscriptions": [subscription]}))
    server = stack.enter_context(subprocess.Popen(
        [sys.executable, str(products.ROOT / "Benchmarks" / "endpoint.py"), str(endpoint), HOST],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
    proxy = f"http://127.0.0.1:{server.stdout.readline().strip()}"
    environment = {**os.environ, "AZURE_CONFIG_DIR": str(home), "AZURE_CORE_COLLECT_TELEMETRY": "false", "HTTPS_PROXY": proxy,
                   "https_proxy": proxy, "REQUESTS_CA_BUNDLE": str(endpoint / "ca.pem")}
    return [program, "account", "get-access-token"], environment


def memory(programs):
    """Peak memory of each command, the median of five runs."""
    group = figures.Group(tables.PEAKS)
    for title, (command, environment) in programs.items():
        group.row(title, [with_peak_memory(environment, *command)[1] for _ in range(5)], "bytes")


def static(folder, most):
    msal = products.static_msal()
    with contextlib.ExitStack() as stack:
        commands = {
            "/bin/true": (["/bin/true"], os.environ), EMPTY: ([str(products.empty_program(folder))], os.environ),
            **token_commands(msal, folder, most), **(others := other_commands(folder, stack)),
        }
        in_turns(figures.Group(tables.STATIC), commands, target=8000, reference=EMPTY)
        memory({"msal token, static": commands["msal token, 1 account"], **others})
    credential_helpers(msal, folder)


def credential_helpers(msal, folder):
    group = figures.Group(tables.HELPERS)
    token, *others = in_turns(group, helpers.commands(msal, folder)).items()
    for title, median in others:
        group.row(f"{title}, beyond msal token", median - token[1], "microseconds", helpers.MORE)


def shared(folder, most):
    msal = products.product("msal")
    group = figures.Group(tables.SHARED)
    commands = token_commands(msal, folder, most)
    in_turns(group, commands, target=20_000)
    loader_statistics(msal)
    emulator_start(group)
    memory({"msal token, shared runtime": commands["msal token, 1 account"]})


def loader_statistics(msal):
    """Prints how many libraries the loader loads, and how many symbols it looks up by name."""
    loader = subprocess.run([str(msal), "version"], env={**os.environ, "LD_DEBUG": "statistics"}, capture_output=True, text=True)
    symbols = re.search(r"number of relocations: (\d+)", loader.stderr)
    libraries = subprocess.run(["ldd", str(msal)], capture_output=True, text=True).stdout.count("=>")
    print(f"  the loader loads {libraries} libraries and looks up {symbols[1] if symbols else '?'} symbols by name")


def emulator_start(group):
    """Time from exec to the first response; the very first start also creates the certificate authority and the keys."""
    folder_of_program = products.product("entra-emulator").parent
    times = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(11):
            begin = time.perf_counter()
            emulator = Emulator(folder_of_program, folder)
            try:
                emulator.wait(interval=0.002)
                times.append(1e6 * (time.perf_counter() - begin))
            finally:
                emulator.stop()
    group.row("entra-emulator, very first start to first response", times[0], "microseconds")
    group.row("entra-emulator, start to first response", times[1:], "microseconds", 100_000)
