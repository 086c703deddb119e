# Licensed under the MIT License. See LICENSE.
"""The fixtures."""
import shlex

import pytest

from .emulator import Emulator, EmulatorFailed


def pytest_addoption(parser):
    group = parser.getgroup("entra-emulator")
    group.addoption("--entra-emulator", metavar="PROGRAM",
                    help="the path of entra-emulator; by default from the variable ENTRA_EMULATOR or the PATH")
    parser.addini("entra_emulator_arguments", "additional arguments of entra-emulator, such as --seed directory.yaml")


@pytest.fixture(scope="session")
def entra_emulator_process(request):
    """The emulator of this test session. Tests use ``entra_emulator``, which is reset for each test."""
    arguments = shlex.split(request.config.getini("entra_emulator_arguments") or "")
    try:
        emulator = Emulator(request.config.getoption("--entra-emulator"), arguments)
    except EmulatorFailed as failure:
        pytest.fail(str(failure), pytrace=False)
    with emulator:
        yield emulator


@pytest.fixture(scope="session")
def _entra_emulator_variables(entra_emulator_process):
    return entra_emulator_process.variables("azure-identity")


@pytest.fixture
def entra_emulator(entra_emulator_process, _entra_emulator_variables, monkeypatch):
    """The running emulator, with its initial directory. The libraries of this process trust it.

    The environment variables are those of ``entra-emulator env --for azure-identity``. ``requests`` prefers
    them to a certificate file passed to a client.
    """
    for name, value in _entra_emulator_variables.items():
        monkeypatch.setenv(name, value)
    entra_emulator_process.control.reset()
    return entra_emulator_process
