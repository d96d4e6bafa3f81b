"""Ctrl-C is heard in tests also where they run in the background, which begins with it ignored."""

import signal

signal.signal(signal.SIGINT, signal.default_int_handler)
