# Licensed under the MIT License. See LICENSE.
"""The rows, one module for each subject."""

from . import (  # noqa: F401
    applications,
    authorize,
    browsers,
    claims,
    discovery,
    grants,
    graph,
    http,
    implicit,
    lifetimes,
    tenancy,
    version1,
)
