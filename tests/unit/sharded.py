"""Builds over shards with a plan of a few small models, one of which may carry a fault.

The plan is what travels to the workers, and so a fault planted in it happens there: in a process
of the pool, in a worker of Spark. Run as a program, it is a driver that a test may kill.
"""

import dataclasses
import json
import os
import signal
import sys
from contextlib import contextmanager
from fnmatch import fnmatch
from pathlib import Path
from unittest.mock import patch

from finrag.command.settings import default_variables
from finrag.shards import Plan, Store, build_shards, building, open_runner
from finrag.shards.plan import GIVEN, Step, code_versions

N_SHARDS = 4
COMPANIES = (320193, 789019, 1018724, 1326801, 1652044, 1318605, 1045810, 200406)
BROKEN = "{not json"
TEXT = "Revenue was {} million in {}. It was more than the year before. We sell through {} shops. "

LENGTHS = f"""
select filing_id, cik_int, record_status, reason_code, source_file, source_line,
    md5(to_json(sections)::varchar) as text_hash
from {GIVEN[0]}
"""
# In Python, so that a fault can be planted; `session` is the shard's DuckDB.
WORDS = """
import os, signal, time
from pathlib import Path

def model(dbt, session):
    rows = session.table("lengths").to_arrow_table()
    filings = set(rows["filing_id"].to_pylist())
{}
    return rows.select(["filing_id", "text_hash"])
"""
KILLED = """
    marker = Path({marker!r})
    if {filing!r} in filings and not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
"""
# Waits for another shard to be done, and fails; lists the filings of each try.
RAISES = """
    if {filing!r} in filings:
        limit = time.monotonic() + 60
        while not any(Path({records!r}).rglob("*.json")) and time.monotonic() < limit:
            time.sleep(0.05)
        with Path({marker!r}).open("a") as tried:
            tried.write(f"{{sorted(filings, key=str)}}\\n")
        raise RuntimeError("no word was found")
"""
SLOW = """
    time.sleep({seconds})
"""


def write_corpus(folder, broken=True):
    """A filing of each company, and a line that no reader understands; ids by file and line."""
    path = Path(folder) / "corpus" / "filings.jsonl"
    path.parent.mkdir(parents=True)
    lines = [
        json.dumps(
            {
                "cik": str(cik),
                "company": f"Company {cik}",
                "year": "2022",
                "filename": f"{cik}_2022.htm",
                "item_1": TEXT.format(cik % 97, 2022, cik % 13) * 20,
                "item_7": TEXT.format(cik % 89, 2021, cik % 11) * 20,
            }
        )
        for cik in COMPANIES
    ]
    if broken:
        lines.insert(3, BROKEN)
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def variables_of(corpus):
    return {
        **default_variables(),
        "corpus": "filings",
        "corpus_path": str(corpus),
        "state_dir": str(corpus.parent.parent / "state"),
        "shards": N_SHARDS,
    }


def toy_plan(fault=""):
    steps = (
        Step("lengths", "sql", LENGTHS, {}, (GIVEN[0],)),
        Step("words", "python", WORDS.format(fault), {}, ("lengths",)),
    )
    return Plan(steps, {}, GIVEN, code_versions(steps))


@contextmanager
def planned(fault=""):
    """Within it a build runs the small plan. A fault does not count as another plan."""
    plan, digest = toy_plan(fault), toy_plan().digest
    # A cached property stands in the instance, and is pickled with it.
    plan.__dict__["digest"] = digest
    with patch.object(building, "make_plan", lambda project, variables: plan):
        yield


def build(runner, store, corpus, fault=""):
    """The manifest, and what the build told of the stage `shards` first."""
    told = []
    with planned(fault):
        manifest = build_shards(
            runner, store, variables_of(corpus), lambda stage, *said: told.append((stage, *said))
        )
    return manifest, next(said for stage, *said in told if stage == "shards")


def files_of(store):
    """Bytes of each file by name; only the name of a manifest, which says where it lies."""
    return {
        name: b"" if name.startswith("corpus/manifests/") else store.read(name)
        for name in store.listed("")
        if not name.startswith("corpus/plans/") and name != "rows/files.json"
        if not is_hidden(name)
    }


def hidden(store):
    """Names of files that were never finished."""
    return [name for name in store.listed("") if is_hidden(name)]


def is_hidden(name):
    return name.rpartition("/")[2].startswith(".")


@dataclasses.dataclass(frozen=True)
class Dying(Store):
    """A folder where the process that writes some kind of file dies half way.

    Attributes:
        kind: pattern of the names.
        marker: a file that says it has happened, and that it is not to happen again; without one
            it always happens.
    """

    kind: str = ""
    marker: str = ""

    def opened(self, name):
        """A file to write."""
        return super().writing(name)

    @contextmanager
    def writing(self, name):
        dies = fnmatch(name, self.kind) and not (self.marker and Path(self.marker).exists())
        with self.opened(name) as file:
            if dies:
                file.write(b"half a file")
                file.flush()
                if self.marker:
                    Path(self.marker).touch()
                os.kill(os.getpid(), signal.SIGKILL)
            yield file


@dataclasses.dataclass(frozen=True)
class WithoutRename(Dying):
    """A folder that takes files under their final names, half ones too; keeps a list.

    Attributes:
        log: file with the names in the order in which they were written.
    """

    log: str = ""

    def opened(self, name):
        path = Path(self.place(name))
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open("wb")

    @contextmanager
    def writing(self, name):
        with super().writing(name) as file:
            yield file
        with Path(self.log).open("a") as log:
            log.write(f"{name}\n")


def main(store, corpus, engine, fault):
    with open_runner(engine, 2) as runner:
        manifest, (n_found, n_all) = build(runner, Store.at(store), Path(corpus), fault)
    print(json.dumps({"manifest": manifest.name, "found": n_found, "all": n_all}))


if __name__ == "__main__":
    main(*sys.argv[1:])
