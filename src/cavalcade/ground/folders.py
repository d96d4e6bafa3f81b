"""Folders whose files are trusted: whether another user could have written them."""

from __future__ import annotations

import os
import stat
from functools import cache
from pathlib import Path


@cache
def is_private(folder: Path) -> bool:
    """Whether only this user and root can write to a folder, and replace it or a folder above it.

    A group may write if it is the private group of the owner: several systems give every user a group of the
    same name, and let that group write. Where the system has no numbers of users, every folder is private.
    """
    if not hasattr(os, "geteuid"):
        return True
    return _is_protected(folder.absolute()) and _is_protected(folder.resolve())


def _is_protected(path: Path) -> bool:
    """Whether no other user can write to a folder, or replace a folder on the path to it."""
    below = False  # whether a folder below exists
    for folder in (path, *path.parents):
        try:
            status = folder.stat()
        except OSError:  # it does not exist
            continue
        if status.st_uid not in {0, os.geteuid()}:
            return False
        # Other users can add files to a sticky folder such as /tmp, but not replace the files of this user.
        sticky = below and bool(status.st_mode & stat.S_ISVTX)
        group = bool(status.st_mode & stat.S_IWGRP) and not _is_own_group(status)
        if not sticky and (group or status.st_mode & stat.S_IWOTH):
            return False
        below = True
    return True


def _is_own_group(status: os.stat_result) -> bool:
    """Whether the group of a file has no member but its owner."""
    import grp
    import pwd

    try:
        owner, group = pwd.getpwuid(status.st_uid), grp.getgrgid(status.st_gid)
    except KeyError:
        return False
    return group.gr_name == owner.pw_name and {*group.gr_mem} <= {owner.pw_name}
