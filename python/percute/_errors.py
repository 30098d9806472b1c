# SPDX-License-Identifier: Apache-2.0
# Copyright The percute authors
"""What is raised about bad input."""


class InvalidInput(ValueError):
    """Data that no law could use, or a file that cannot be read; its text is that of the command line.

    A numerical outcome is never an exception: it is the status of a result.
    """

    field: str = ""
    """Path of the offending value: "contacts[1].restitution"."""
    reason: str = ""
    """Why it cannot be used, and what is allowed."""
