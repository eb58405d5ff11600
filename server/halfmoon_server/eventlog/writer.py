"""The thread that has a log's file to itself: one commit for all who wait (group commit)."""

import asyncio
import contextlib
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import apsw

from halfmoon_server.eventlog.base import DataFolderError, LogConflict, LogDamaged, LogUnavailable
from halfmoon_server.eventlog.opening import open_tables
from halfmoon_server.eventlog.reading import SPOILT
from halfmoon_server.eventlog.schema import Connection
from halfmoon_server.eventlog.tables import Tables

T = TypeVar("T")

MOST_PER_COMMIT = 1000
PAGES_AT_ONCE = 256
"""Of a copy, between two commits: a megabyte."""


@dataclass(slots=True)
class _Job:
    """Something that the thread does within its next commit."""

    run: Callable[[Tables], Any]
    done: asyncio.Future[Any]
    result: Any = None
    error: Exception | None = None


@dataclass(slots=True)
class _Copy:
    """A copy that is being made, some pages after each commit: nobody waits for all of it."""

    path: Path
    done: asyncio.Future[None]
    target: Connection = None
    copying: Any = None


class Writer:
    """A file's one connection in one thread; what is asked of it is done in order."""

    def __init__(self, path: Path, observe_commit: Callable[[float], None] | None) -> None:
        """Open the file. Raises `DataFolderError`."""
        self._path = path
        self._observe = observe_commit
        self._database, self._tables = open_tables(path)
        self._jobs: queue.SimpleQueue[_Job | _Copy | None] = queue.SimpleQueue()
        self.is_healthy = True
        """Whether the last attempt to write succeeded."""
        self._is_closed = False
        self._thread = threading.Thread(target=self._work, name="event log", daemon=True)
        self._thread.start()

    async def do(self, run: Callable[[Tables], T]) -> T:
        """What `run` gives within the next commit, once that is durable.

        Raises `LogUnavailable`, or the `LogConflict` or `LogDamaged` that it raised.
        """
        if self._is_closed:
            raise LogUnavailable("the log is closed")
        job = _Job(run, asyncio.get_running_loop().create_future())
        self._jobs.put(job)
        result: T = await job.done
        return result

    async def ask(self, look_up: Callable[[Connection], T]) -> T:
        """What looking something up gives; raises `LogUnavailable` and `LogDamaged`."""

        def run(tables: Tables) -> T:
            try:
                return look_up(tables.database)
            except SPOILT as error:
                raise LogDamaged(
                    f"the log's indexes are damaged ({type(error).__name__}): stop the server and "
                    "run halfmoon reindex"
                ) from None

        return await self.do(run)

    async def copy_to(self, path: Path) -> None:
        """Copy the file as it is at one moment into an empty one; raises `LogUnavailable`."""
        if self._is_closed:
            raise LogUnavailable("the log is closed")
        copy = _Copy(path, asyncio.get_running_loop().create_future())
        self._jobs.put(copy)
        await copy.done

    async def close(self) -> None:
        """Do what is still asked, and let go of the file."""
        if self._is_closed:
            return
        self._is_closed = True
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)

    # On the thread

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            if isinstance(job, _Copy):
                self._copy_on(job)
                continue
            jobs = [job]
            following: _Job | _Copy | None = job
            while len(jobs) < MOST_PER_COMMIT:
                try:
                    following = self._jobs.get_nowait()
                except queue.Empty:
                    break
                if not isinstance(following, _Job):
                    break
                jobs.append(following)
            self._commit(jobs)
            if isinstance(following, _Copy):
                self._copy_on(following)
            elif following is None:
                break
        self._shut()

    def _copy_on(self, copy: _Copy) -> None:
        """Copy some more pages; what is written meanwhile goes into the copy too."""
        error: LogUnavailable | None = None
        try:
            if copy.copying is None:
                copy.target = apsw.Connection(str(copy.path), apsw.SQLITE_OPEN_READWRITE)
                copy.copying = copy.target.backup("main", self._database, "main")
            if not copy.copying.step(PAGES_AT_ONCE) and not self._is_closed:
                self._jobs.put(copy)
                return
            is_whole = copy.copying.done
            copy.copying.finish()
            if not is_whole:
                error = LogUnavailable("the log was closed before the copy was whole")
        except apsw.Error as fault:
            error = LogUnavailable(f"the log can't be copied: {fault}")
        if copy.target is not None:
            copy.target.close(True)
        loop = copy.done.get_loop()
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(_settle, copy.done, error)

    def _commit(self, jobs: list[_Job]) -> None:
        """Run the jobs in one transaction, and tell each of them how it went."""
        began = time.perf_counter()
        self._tables.begin()
        try:
            before = self._database.total_changes()
            self._database.execute("BEGIN IMMEDIATE")
            for job in jobs:
                self._run(job)
            self._tables.write_heads()
            self._database.execute("COMMIT")
        except (apsw.Error, TypeError, ValueError) as error:
            self._rollback(jobs, error)
        else:
            # What only read has not shown that the disk takes anything.
            self.is_healthy |= self._database.total_changes() > before
            self._tables.committed()
        took = time.perf_counter() - began
        by_loop: dict[asyncio.AbstractEventLoop, list[_Job]] = {}
        for job in jobs:
            by_loop.setdefault(job.done.get_loop(), []).append(job)
        for loop, mine in by_loop.items():
            try:
                loop.call_soon_threadsafe(self._resolve, mine, took)
            except RuntimeError:  # the loop has been closed: nobody waits any more
                continue

    def _run(self, job: _Job) -> None:
        """One job; a refusal is its own, a failure of the storage is everybody's."""
        try:
            job.result = job.run(self._tables)
        except (LogConflict, LogDamaged) as error:
            job.error = error

    def _rollback(self, jobs: list[_Job], error: Exception) -> None:
        self.is_healthy = False
        for job in jobs:
            job.error = LogUnavailable(f"the log can't be written: {error}")
        try:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            self._tables.rolled_back()
        except apsw.Error:
            self._reopen()

    def _reopen(self) -> None:
        """A fresh connection, since the old one can't even roll back; it may fail and be tried again."""
        try:
            self._database.close(True)
            self._database, self._tables = open_tables(self._path)
        except (apsw.Error, DataFolderError):
            return

    def _resolve(self, jobs: list[_Job], took: float) -> None:
        if self._observe is not None:
            self._observe(took)
        for job in jobs:
            if job.done.done():
                continue
            if job.error is not None:
                job.done.set_exception(job.error)
            else:
                job.done.set_result(job.result)

    def _shut(self) -> None:
        try:
            self._tables.begin()
            self._database.execute("BEGIN IMMEDIATE")
            self._tables.write_heads(always=True)
            self._database.execute("COMMIT")
        except apsw.Error:
            self.is_healthy = False
        self._database.close(True)


def _settle(done: asyncio.Future[None], error: Exception | None) -> None:
    if done.done():
        return
    if error is None:
        done.set_result(None)
    else:
        done.set_exception(error)
