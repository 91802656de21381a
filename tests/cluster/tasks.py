"""Functions that workers call."""

import os
import signal
import time
from pathlib import Path


def square(number):
    return number * number


def wait(tenths):
    time.sleep(tenths / 10)
    return tenths


def many_bytes(number):
    return b"x" * number


def fail(number):
    if number == 1:
        raise ValueError(f"filing f-{number} cannot be read\nsee its line 7")
    return number


def fail_or_wait(tenths):
    if not tenths:
        raise ValueError("no time")
    return wait(tenths)


def die(number):
    os.kill(os.getpid(), signal.SIGKILL)


def die_once(marker):
    if not Path(marker).exists():
        Path(marker).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return marker


def count_try(folder):
    (Path(folder) / f"{os.getpid()}-{time.monotonic_ns()}").touch()
    raise RuntimeError("never")
