# Licensed under the MIT License. See LICENSE.
"""Unmodified third-party programs and libraries sign in with the emulator over TLS.

usage: clients.py BUILD_FOLDER [--full] [CLIENT...]     clients are the files in cases/; by default all except the
                                                        heavy ones, which need --full or their names
"""
import importlib
import os
import pathlib
import sys
import tempfile
import time
import traceback

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE), str(HERE.parent / "Peers")]

from bench import Bench  # noqa: E402
from harness import running_emulator  # noqa: E402

# They install large programs, or repeat another client in a larger setup.
HEAVY = ["azure_cli", "mcp_instances", "msgraph"]


def main():
    words = [word for word in sys.argv[1:] if word != "--full"]
    if not words or words[0].startswith("-"):
        raise SystemExit(__doc__)
    build, names = pathlib.Path(words[0]).resolve(), words[1:]
    names = names or [name for name in sorted(path.stem for path in (HERE / "cases").glob("*.py"))
                      if "--full" in sys.argv or name not in HEAVY]
    failures, begin = [], time.monotonic()
    with running_emulator(build) as emulator:
        # `requests` prefers this variable, if the machine sets it, to the authority of the session.
        os.environ["REQUESTS_CA_BUNDLE"] = os.environ["SSL_CERT_FILE"] = emulator.ca_file
        for name in names:
            start = time.monotonic()
            print(f"--- {name}", flush=True)
            with tempfile.TemporaryDirectory(prefix=f"clients-{name}-") as folder:
                bench = Bench(emulator, folder, build)
                # Some libraries write files to the current folder.
                os.chdir(folder)
                # Python's `webbrowser` reads it only when it is first used.
                os.environ["BROWSER"] = str(Bench(emulator, emulator.folder, build).browser())
                try:
                    importlib.import_module(f"cases.{name}").run(bench)
                except (Exception, SystemExit) as error:  # After any failure, the other clients are still tested.
                    reason = error if isinstance(error, SystemExit) else traceback.format_exc(limit=-4)
                    print(f"{reason}\n--- browser\n{bench.visits()}", flush=True)
                    failures.append(f"{name}: {str(reason).strip()}")
                finally:
                    os.chdir(HERE)
            print(f"    {name}: {time.monotonic() - start:.1f} s", flush=True)
        if failures:
            print(f"--- emulator\n{emulator.output()}")
    print(f"{len(names) - len(failures)} clients pass, {time.monotonic() - begin:.0f} s")
    if failures:
        raise SystemExit("\n".join(f"FAILED: {failure}" for failure in failures))


main()
