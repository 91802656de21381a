"""Processes for tests, on loopback only: each ends with its `with`, and all that it started."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

MASTER = "org.apache.spark.deploy.master.Master"
WORKER = "org.apache.spark.deploy.worker.Worker"
CONNECT = "org.apache.spark.sql.connect.service.SparkConnectServer"
LOOPBACK = "127.0.0.1"


def free_port():
    with socket.socket() as found:
        found.bind((LOOPBACK, 0))
        return found.getsockname()[1]


def until(condition, seconds=180):
    limit = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < limit, "it did not happen in time"
        time.sleep(0.1)
    return found


def descendants(pid):
    """A process and all below it, by number."""
    children = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            _, _, fields = stat.read_text().rpartition(")")
            children.setdefault(int(fields.split()[1]), []).append(int(stat.parent.name))
    found = [pid]
    for one in found:
        found += children.get(one, [])
    return found


def kill(pid):
    """Ends a process and all below it as a machine that fails does; returns their numbers."""
    found = descendants(pid)
    for one in found:
        with contextlib.suppress(ProcessLookupError):
            os.kill(one, signal.SIGKILL)
    return found


@contextlib.contextmanager
def process(command, log, environment=(), port=None):
    """A process, once its port can be reached."""
    with Path(log).open("wb") as written:
        running = subprocess.Popen(
            command,
            env={**os.environ, **dict(environment)},
            stdout=written,
            stderr=subprocess.STDOUT,
        )
    try:
        if port:
            until(lambda: is_open(port) or running.poll() is not None)
            assert running.poll() is None, Path(log).read_text()
        yield running
    finally:
        kill(running.pid)
        running.wait()


def is_open(port):
    with contextlib.suppress(OSError), socket.create_connection((LOOPBACK, port), 1):
        return True
    return False


def spark_environment():
    """Where Spark lies, and what the Python of its workers can import."""
    import pyspark

    return {
        "SPARK_HOME": str(Path(pyspark.__file__).parent),
        "SPARK_LOCAL_IP": LOOPBACK,
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        "SPARK_CONNECT_MODE": "0",
    }


def program(name):
    return str(Path(spark_environment()["SPARK_HOME"]) / "bin" / name)


@contextlib.contextmanager
def standalone(folder, n_workers=2):
    """The address of a master, and its workers of one processor and 1 GiB each."""
    port = free_port()
    address = f"spark://{LOOPBACK}:{port}"
    here = ("--host", LOOPBACK, "--webui-port", "0")
    with contextlib.ExitStack() as stack:
        master = [program("spark-class"), MASTER, *here, "--port", str(port)]
        log = folder / "master.log"
        stack.enter_context(process(master, log, spark_environment(), port))
        workers = []
        for number in range(n_workers):
            command = [program("spark-class"), WORKER, *here, "--cores", "1", "--memory", "1g"]
            command += ["--work-dir", str(folder / f"worker-{number}"), address]
            workers.append(
                stack.enter_context(
                    process(command, folder / f"worker-{number}.log", spark_environment())
                )
            )
        until(lambda: log.read_text().count("Registering worker") == n_workers)
        yield address, workers


@contextlib.contextmanager
def connect_server(folder):
    """The address of a server of Spark Connect, which runs two tasks at a time."""
    port = free_port()
    settings = {
        "spark.connect.grpc.binding.address": LOOPBACK,
        "spark.connect.grpc.binding.port": str(port),
        "spark.ui.enabled": "false",
    }
    given = [word for name, value in settings.items() for word in ("--conf", f"{name}={value}")]
    command = [program("spark-submit"), "--class", CONNECT, "--master", "local[2,4]", *given]
    command += ["--driver-memory", "1g", "spark-internal"]
    with process(command, folder / "connect.log", spark_environment(), port):
        yield f"sc://{LOOPBACK}:{port}"


@contextlib.contextmanager
def s3_server(folder):
    """The address of a server that speaks S3 and keeps everything in memory."""
    port = free_port()
    command = [sys.executable, "-m", "moto.server", "-H", LOOPBACK, "-p", str(port)]
    environment = {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    with process(command, folder / "s3.log", environment, port):
        yield f"http://{LOOPBACK}:{port}"
