"""The driver: answers the requests of an engine."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from ..database.activity import Activity
from ..database.databases import Databases
from ..database.session import DatabaseError
from ..runtime.epoch import Epoch, actions
from . import body, database, information, reply, results
from .controller import Controller
from .http import Request, Response
from .reply import BASE_PATH, RefusalError

_LOG = logging.getLogger("wallace_driver")


class Driver:
    """State of one driver. Requests come one at a time; a lock makes sure of it."""

    def __init__(self, controller: Controller) -> None:
        """A driver of a service that may still be starting."""
        self.controller = controller
        self.epoch = Epoch()
        self.databases = Databases()
        self.commands = database.Commands(self.databases)
        self._lock = threading.Lock()
        self._action: int | None = None
        self._reports_sql = False
        self._has_booted = False
        self._boot_covered: set[str] = set()
        self._routes: dict[str, dict[str, Callable[[Request], Response]]] = {
            "/": {"GET": reply.warn_people},
            "": {"GET": lambda _: reply.redirect_to_slash()},
            "/controllerInfo": {"GET": lambda _: reply.data(information.controller_info())},
            "/infoSUT": {"GET": self.info_sut},
            "/newSearch": {"POST": self.new_search},
            "/runSUT": {"PUT": self.run_sut},
            "/newAction": {"PUT": self.new_action},
            "/testResults": {"GET": self.test_results},
            "/databaseCommand": {"POST": self.commands.answer},
            "/mongoInsertion": {"POST": lambda _: reply.refused(400, database.NO_DATABASE)},
            "/redisInsertion": {"POST": lambda _: reply.refused(400, "No active Redis connection")},
            "/wallace/targets": {"GET": lambda _: reply.data(information.places())},
            "/wallace/operands": {
                "GET": lambda request: reply.data(information.operands(request.query))
            },
        }

    def handle(self, request: Request) -> Response:
        """Answers one request."""
        is_below = request.path.startswith(BASE_PATH)
        methods = self._routes.get(request.path.removeprefix(BASE_PATH)) if is_below else None
        if methods is None:
            return reply.by_container(404, "Not Found", request)
        handler = methods.get(request.method)
        if handler is None:
            return reply.by_container(405, "Method Not Allowed", request)
        with self._lock:
            try:
                return handler(request)
            except RefusalError as refusal:
                return refusal.response
            except Exception:
                _LOG.exception("the driver failed at %s", request.path)
                return reply.crashed()

    def info_sut(self, request: Request) -> Response:
        """`GET /infoSUT`."""
        if request.headers.get("connection", "").lower() != "keep-alive":
            reason = "Requests should always contain a 'Connection: keep-alive'"
            return reply.refused(400, reason)
        if self.controller.base_url is None:
            return reply.refused(500, "Failed to extract units info")
        schema = self.databases.schema()
        return reply.data(information.info_sut(self.controller, self.epoch, schema))

    def new_search(self, _: Request) -> Response:
        """`POST /newSearch`, with any body."""
        self.controller.set_kill_switch(False)
        self.epoch.new_search()
        self.commands.new_search()
        self._action = None
        return reply.created()

    def run_sut(self, request: Request) -> Response:
        """`PUT /runSUT`: start, reset or stop. Blocks until the service answers."""
        wanted = body.read(request, body.RUN_SUT)
        runs, resets = body.flag(wanted.get("run")), body.flag(wanted.get("resetState"))
        if runs is None:
            return reply.refused(400, "Invalid JSON: 'run' field is required")
        if resets and not runs:
            reason = "Invalid JSON: cannot reset state and stop service at same time"
            return reply.refused(400, reason)
        sql = ("calculateSqlHeuristics", "extractSqlExecutionInfo")
        self._reports_sql = any(body.flag(wanted.get(one)) for one in sql)
        self.controller.set_kill_switch(False)
        if not runs:
            self.leave()
            return reply.done()
        try:
            self._start()
            if resets:
                self._reset()
        except Exception as error:
            _LOG.exception("the service could not be started or reset")
            return reply.refused(500, f"{type(error).__name__}: {error}")
        return reply.done()

    def leave(self) -> None:
        """The engine has finished, or the process ends: no row of a test stays."""
        self.controller.stop()
        if self._has_booted:
            try:
                self.databases.leave(actions())
            except DatabaseError as error:
                _LOG.warning("rows of tests stay in the database: %s", error)

    def _start(self) -> None:
        if self.controller.base_url is None:
            self.controller.start()
        if not self._has_booted:
            self._has_booted = True
            self.epoch.finish_boot()
            self.databases.begin()
            covered = self.epoch.boot_targets()
            self._boot_covered = {name for name, score in covered if score >= 1.0}

    def _reset(self) -> None:
        self.controller.settle()
        try:
            self.databases.clean(actions(), self.controller.reset)
        finally:
            # A new test begins even after a failed reset.
            self.epoch.new_test()
            self._action = None

    def new_action(self, request: Request) -> Response:
        """`PUT /newAction`. The next index counts; the same again is a repeated request."""
        action = body.read(request, body.NEW_ACTION)
        index = action.get("index")
        lists = [name for name, kind in body.NEW_ACTION.items() if kind in ("list", "object")]
        has_null = any(name in action and action[name] is None for name in lists)
        if index is None or has_null or self.controller.base_url is None:
            return reply.crashed()
        if action.get("rpcCall") is not None:
            return reply.refused(500, "Remote procedure calls are not supported")
        following = 0 if self._action is None else self._action + 1
        if index != following:
            _LOG.warning("announcement of action %s out of order ignored", index)
            return reply.done()
        self.controller.settle()
        self._look()
        self._action = index
        self.controller.set_kill_switch(False)
        inputs = [one for one in action.get("inputVariables", []) if isinstance(one, str)]
        self.controller.begin_action(index, inputs)
        return reply.done()

    def test_results(self, request: Request) -> Response:
        """`GET /testResults`."""
        wanted = results.Wanted(request.query)
        if self.controller.base_url is None:
            return reply.failed(request)
        self.controller.settle()
        seen = actions()
        executed = self._look()
        targets = results.targets(self.epoch, wanted, self._boot_covered)
        if wanted.kill_switch:
            self.controller.set_kill_switch(True)
        is_announced = self._action is not None
        return reply.data(
            {
                "targets": targets,
                "additionalInfoList": list(map(results.additional_info, seen, executed)),
                "extraHeuristics": [
                    results.extra_heuristics(one, reports_sql=self._reports_sql)
                    for one in executed
                    if is_announced
                ],
            }
        )

    def _look(self) -> list[Activity]:
        """What the statements of each action were about."""
        if self._reports_sql:
            return self.databases.look(actions())
        return [Activity() for _ in actions()]
