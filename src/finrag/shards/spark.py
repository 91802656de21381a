"""Tasks on Apache Spark: on this machine, on a standalone cluster, on a server of Spark Connect.

Spark only schedules. Each task is a job of one partition, so that a result comes as soon as its
task is done and a failure names its task. Tasks and results are small: data goes through the
store. Speculation is off, for a task writes files.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import re
import shutil
import subprocess
import sys
import threading
import uuid
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed, wait
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import pyarrow as pa

from finrag.shards.runners import ATTEMPTS, DIED, Result, ShardError, Task, failed, n_cores

# In two parts: a text with a slash would count as a file that the library reads.
LOG: Final = Path("logs") / "spark.log"
JAVA_VERSION: Final = 17
# Tasks that Spark has in its queue at the same time; each holds a thread here.
MAX_AT_ONCE: Final = 256
# Of a cluster, before Spark has started. Decides into how many tasks reading is cut, how many
# shards a new store has at least, and how many threads an encoder has in a task.
OF_CLUSTER: Final = 16
LOOPBACK: Final = "127.0.0.1"

# It only schedules: code that runs for a minute is not worth being optimised by Java or by Spark.
_JAVA: Final = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
SETTINGS: Final = {
    "spark.driver.extraJavaOptions": _JAVA,
    "spark.sql.codegen.wholeStage": "false",
    "spark.app.name": "finrag",
    "spark.driver.memory": "1g",
    "spark.executor.memory": "512m",
    "spark.python.worker.reuse": "true",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "1",
    "spark.driver.maxResultSize": "0",
    "spark.speculation": "false",
    "spark.task.maxFailures": str(ATTEMPTS),
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}

# What Spark says of a worker that was killed, alone or with its executor.
_LOST: Final = ("Python worker exited unexpectedly", "ExecutorLostFailure")
_RESULT: Final = "result binary"
_CAUSE: Final = re.compile(r"<finrag: (.*?) :finrag>", re.DOTALL)
_MASTER: Final = re.compile(r"local(\[.+\])?$|local-cluster\[.+\]$|spark://.+|k8s://.+|yarn$")
_BARE_LOCAL: Final = re.compile(r"local(?:\[([^,\]]+)\])?$")
_LOCAL: Final = re.compile(r"local\[(\*|\d+),")
_INSTALL: Final = "install it with 'pip install \"finrag[spark]\"'"


def check_spark() -> None:
    """Checks that Spark can be started from here.

    Raises:
        ValueError: pyspark is not installed, ``SPARK_MASTER`` or ``SPARK_REMOTE`` is not an
            address that Spark knows, what Connect needs is not installed, or Java is missing or
            too old.
    """
    if find_spec("pyspark") is None:
        raise ValueError(f"the engine 'spark' needs pyspark; {_INSTALL}, or take the engine 'pool'")
    if remote := os.environ.get("SPARK_REMOTE"):
        if not remote.startswith("sc://"):
            raise ValueError(
                f"SPARK_REMOTE is '{_masked(remote)}', expected an address like sc://host:port"
            )
        if find_spec("grpc") is None:
            raise ValueError(
                "SPARK_REMOTE needs the packages of Spark Connect; install them with "
                "'pip install \"pyspark[connect]\"'"
            )
        return
    if not _MASTER.match(master := os.environ.get("SPARK_MASTER") or "local[*]"):
        raise ValueError(
            f"SPARK_MASTER is '{master}', expected local[*], local[4], spark://host:port, yarn or "
            "k8s://…"
        )
    if (found := _java_version()) is None:
        raise ValueError(
            f"the engine 'spark' needs Java {JAVA_VERSION} or later and found none; install a Java "
            "runtime or set JAVA_HOME"
        )
    if found < JAVA_VERSION:
        raise ValueError(
            f"the engine 'spark' needs Java {JAVA_VERSION} or later and found Java {found}; "
            "install a newer one or set JAVA_HOME"
        )


def _masked(text: str) -> str:
    """A text without the parameters of ``SPARK_REMOTE``, of which one may be a token."""
    _, _, parameters = os.environ.get("SPARK_REMOTE", "").partition(";")
    values = (one.partition("=")[2] for one in parameters.split(";") if one.startswith("token="))
    for secret in filter(None, (parameters, *values)):
        text = text.replace(secret, "…")
    return text


def master_with_retries(master: str) -> str:
    """A master that tries a failed task again: Spark's local ones do only if they say so.

    Args:
        master: such as ``local[*]`` or ``spark://host:port``.

    Returns:
        ``local[*,4]`` for ``local[*]``; any master but a local one as it is.
    """
    local = _BARE_LOCAL.match(master)
    return f"local[{local[1] or 1},{ATTEMPTS}]" if local else master


class Spark:
    """A runner on Spark, where the environment says: ``SPARK_REMOTE``, else ``SPARK_MASTER``.

    Spark starts with the first task and stops with the last open runner of this process.
    """

    def __init__(self, n_workers: int | None = None, log: Path = LOG) -> None:
        """A runner that has not started Spark yet.

        Args:
            n_workers: tasks at a time on this machine, if ``SPARK_MASTER`` is not set; None for
                one a processor.
            log: file that takes what Spark writes, beside that of dbt.

        Raises:
            ValueError: Spark cannot be started from here.
        """
        check_spark()
        self._master = master_with_retries(
            os.environ.get("SPARK_MASTER") or f"local[{n_workers or '*'}]"
        )
        local = _LOCAL.match("" if os.environ.get("SPARK_REMOTE") else self._master)
        # What a cluster has is known only once Spark runs, which a build without tasks never needs.
        self.n_workers = (int(local[1]) if local[1] != "*" else n_cores()) if local else OF_CLUSTER
        self._log = log
        self._session: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stops Spark, unless another runner of this process uses it."""
        if self._session is not None:
            self._session = None
            _leave()

    def run(
        self,
        function: Callable[[Task], Result],
        tasks: Iterable[Task],
        label: Callable[[Task], str],
    ) -> Iterator[Result]:
        """Calls a function for each task, on Spark's workers.

        Args:
            function: a function of a module that the workers can import.
            tasks: what it is called with; picklable and small.
            label: how a message names a task.

        Yields:
            What the function returned, in the order in which the tasks were done.

        Raises:
            ShardError: a task failed four times, or Spark did not start or went away. What still
                runs is stopped first.
        """
        if not (given := list(tasks)):
            return
        if self._session is None:
            self._session = _enter(self._master, self._log)
        session, tag = self._session, f"finrag-{uuid.uuid4().hex}"
        with ThreadPoolExecutor(min(len(given), MAX_AT_ONCE)) as threads:
            running = {
                threads.submit(_answer, session, tag, function, task): task for task in given
            }
            try:
                for done in as_completed(list(running)):
                    task = running.pop(done)
                    if error := done.exception():
                        raise failed(label(task), self._plain(error)) from error
                    yield done.result()
            finally:
                _stop(session, tag, list(running))

    def _plain(self, error: BaseException) -> Exception:
        """An error of Spark without its stack of Java: what a task raised, else its first line."""
        if found := _CAUSE.search(text := str(error)):
            return RuntimeError(found[1])
        if any(sign in text for sign in _LOST):
            return RuntimeError(f"{DIED} (Spark's log is {self._log})")
        lines = _masked(text).strip().splitlines() or [type(error).__name__]
        return RuntimeError(f"Spark says '{lines[0][:300]}' (its log is {self._log})")


def _answer(session: Any, tag: str, function: Callable[[Any], Any], task: Any) -> Any:
    """One task as a job of one partition; runs in a thread of its own."""

    def answer(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for _ in batches:
            try:
                result = pickle.dumps(function(task))
            except Exception as error:
                raise RuntimeError(_marked(error)) from error
            yield pa.record_batch({"result": pa.array([result], pa.binary())})

    (session.addTag if _is_connect(session) else session.sparkContext.addJobTag)(tag)
    rows = session.range(0, 1, 1, 1).mapInArrow(answer, _RESULT).collect()
    return pickle.loads(rows[0].result)


def _marked(error: Exception) -> str:
    """A message that is found again between Spark's own lines."""
    kind = "" if isinstance(error, ValueError) else f"{type(error).__name__}: "
    return f"<finrag: {kind}{error} :finrag>"


def _stop(session: Any, tag: str, running: Collection[Future[Any]]) -> None:
    """Ends the jobs that still run; asked again, for a thread may be about to start one."""
    for job in running:
        job.cancel()
    end = session.interruptTag if _is_connect(session) else session.sparkContext.cancelJobsWithTag
    while wait(running, timeout=1 if running else 0).not_done:
        # Where Spark itself is gone its jobs are too, and the error that is raised says so.
        with contextlib.suppress(Exception):
            end(tag)


def _is_connect(session: Any) -> bool:
    return type(session).__module__.startswith("pyspark.sql.connect")


# One session a process, with the number of its users; dbt runs two models at the same time.
_lock = threading.Lock()
_session: Any = None
_users = 0


def _enter(master: str, log: Path) -> Any:
    """The session of this process, started if there is none."""
    global _session, _users  # noqa: PLW0603 - pyspark itself allows one session a process
    from pyspark.sql import SparkSession

    # Of what finrag takes of pyspark, nothing goes through pandas.
    warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
    with _lock:
        if _session is None and (remote := os.environ.get("SPARK_REMOTE")):
            try:
                _session = SparkSession.builder.remote(remote).getOrCreate()
            except Exception as error:
                reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
                # Not from the error, which may tell the token in a trace.
                raise ShardError(
                    _masked(f"the Spark of SPARK_REMOTE, {remote}, was not reached ({reason})")
                ) from None
        elif _session is None:
            _session = _start(master, log)
        _users += 1
        return _session


def _start(master: str, log: Path) -> Any:
    """A classic session whose JVM writes to a file, not to the user's screen."""
    from pyspark import SparkConf, SparkContext
    from pyspark.errors import PySparkException
    from pyspark.java_gateway import launch_gateway
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    settings = SparkConf(loadDefaults=False).setMaster(master).setAll(SETTINGS.items())
    if master.startswith("local"):
        settings.set("spark.driver.bindAddress", LOOPBACK).set("spark.driver.host", LOOPBACK)
    # Workers import what this process can, as processes of a pool do.
    settings.setExecutorEnv(
        "PYTHONPATH", os.pathsep.join(str(Path(path).absolute()) for path in sys.path)
    )
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as written:
        try:
            gateway = launch_gateway(settings, {"stdout": written, "stderr": written})
        except PySparkException as error:
            raise ShardError(f"Spark did not start; its log is {log}") from error
    try:
        return SparkSession(SparkContext(gateway=gateway, conf=settings))
    except Exception as error:
        _end_java(gateway)
        raise ShardError(f"Spark did not start on {master}; its log is {log}") from error


def _leave() -> None:
    """Stops the session with its last user."""
    global _session, _users  # noqa: PLW0603
    with _lock:
        _users -= 1
        if _users:
            return
        session, _session = _session, None
        gateway = None if _is_connect(session) else session.sparkContext._gateway
        # What has died cannot be stopped; the error of its tasks is the one to be seen.
        with contextlib.suppress(Exception):
            session.stop()
        if gateway is not None:
            _end_java(gateway)


def _end_java(gateway: Any) -> None:
    """Ends the JVM; pyspark would keep it until this process ends."""
    from pyspark import SparkContext

    gateway.shutdown()
    # Java ends when its standard input does; it may have ended before.
    with contextlib.suppress(OSError):
        gateway.proc.stdin.close()
    gateway.proc.wait(timeout=60)
    SparkContext._gateway = SparkContext._jvm = None


def _java_version() -> int | None:
    """The major version of the Java that Spark would take; None without one."""
    home = os.environ.get("JAVA_HOME")
    java = shutil.which(str(Path(home, "bin/java")) if home else "java")
    if java is None:
        return None
    said = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    found = re.search(r'version "(?:1\.)?(\d+)', said)
    return int(found[1]) if found else None
