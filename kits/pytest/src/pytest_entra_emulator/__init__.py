# Licensed under the MIT License. See LICENSE.
"""The identity platform in a test: entra-emulator, its control API, and a person at the browser.

The fixture ``entra_emulator`` is an :class:`Emulator`. Nothing here needs more than the standard library and pytest.
"""
from .browser import Browser, Page, SignInFailed
from .control import Control, ControlError
from .emulator import Emulator, EmulatorFailed

__all__ = ["Browser", "Control", "ControlError", "Emulator", "EmulatorFailed", "Page", "SignInFailed"]
