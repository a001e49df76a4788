"""`python -m wallace_driver [options] -- COMMAND`."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from pathlib import Path

from .database import install as databases
from .loading import ownership
from .loading.hook import set_up
from .loading.ownership import Ownership
from .runtime.epoch import units
from .server.driver import Driver
from .server.http import HttpServer
from .service import command, launch, port, server_hook
from .service.command import Command
from .service.controller import ServiceController, ServiceOptions
from .service.ending import Ending
from .service.forked import ForkedController
from .service.people import say
from .service.reset import ResetHook

_USAGE = "python -m wallace_driver [options] -- COMMAND"
_LOG = logging.getLogger("wallace_driver")


def main() -> None:
    """Starts driver and service."""
    options, words = _options(sys.argv[1:])
    logging.basicConfig(level=logging.INFO if options.verbose else logging.WARNING)
    try:
        service = command.adapted(command.parse(words))
        hook = options.reset if options.reset != "fork" else None
        reset = ResetHook(hook) if hook else None
        server_port = options.port
        owned = _ownership(options.include, service)
    except ValueError as error:
        raise SystemExit(f"wallace_driver: {error}") from None
    port.watch()
    server_hook.install(forked=options.reset == "fork")
    databases.install()
    finder = set_up(owned, Path(options.cache).resolve())
    modules, lines, branches = units()
    say(f"{len(modules)} modules, {lines} lines, {branches} branches")
    given = ServiceOptions(
        options.service,
        options.schema,
        options.openapi,
        options.graphql,
        reset,
        options.timeout,
        options.hang,
    )
    ending = _serve(server_port, given, service, forked=options.reset == "fork")
    try:
        launch.run(service, finder)
    finally:
        ending.end()


def _serve(server_port: int, options: ServiceOptions, service: Command, *, forked: bool) -> Ending:
    """Serves the driver: here, or in the child that a pre-forking server makes."""
    try:
        server = HttpServer(server_port)
    except OSError as error:
        raise SystemExit(f"wallace_driver: no driver at port {server_port}: {error}") from None
    kind = ForkedController if forked else ServiceController
    controller = kind(options, server.port)
    driver = Driver(controller)
    ending = Ending(driver.leave)

    def start() -> None:
        ending.begin()
        server.start(driver.handle)
        controller.watch()

    if service.forks:
        os.register_at_fork(after_in_child=start)
    else:
        start()
    url = f"http://localhost:{server.port}/controller/api"
    print(f"Started controller server on: {url}", file=sys.stderr, flush=True)
    return ending


def _ownership(patterns: list[str], service: Command) -> Ownership:
    """Own modules: those named, else those of the project and of the product that is run."""
    project = ownership.under(Path.cwd(), service.folders, service.named)
    owned = Ownership(patterns=patterns) if patterns else project
    tops = {name.split(".")[0] for name, _ in owned.modules()}
    is_project = bool(tops)
    served = service.application.split(":")[0].split(".")[0]
    # What a server serves is in the project, or else installed; other commands are the service.
    is_there = not served or served in tops or project.has(served)
    is_served = is_project and service.is_server and is_there
    if not patterns and not is_served:
        script = "" if service.is_known_server else service.program
        packages = ownership.of_distribution(script, service.application)
        owned = Ownership(packages, owned.roots if is_project else [], owned.named)
        if packages:
            say(f"instruments the installed packages {packages}")
    if not owned.modules():
        named = " ".join(patterns) or "the folder, what is installed from it, and the command"
        raise ValueError(f"no module of the service was found by {named}: name one with --include")
    return owned


def _options(words: list[str]) -> tuple[argparse.Namespace, list[str]]:
    split = words.index("--") if "--" in words else len(words)
    parser = argparse.ArgumentParser("wallace_driver", usage=_USAGE, description=__doc__)
    parser.add_argument("--port", type=int, default=40_100, help="port of the driver; 0 is any")
    parser.add_argument(
        "--include",
        action="append",
        default=[],
        metavar="GLOB",
        help="own modules, with all below them; repeat for more (default: the project's)",
    )
    parser.add_argument(
        "--reset",
        metavar="MODULE:FUNCTION|fork",
        help="called before each test; or a fresh process each",
    )
    parser.add_argument("--service", metavar="URL", help="where the service listens")
    parser.add_argument(
        "--schema", metavar="PATH", help="path of the OpenAPI description or GraphQL endpoint"
    )
    parser.add_argument("--openapi", metavar="PATH", help="path or URL of the description")
    parser.add_argument("--graphql", metavar="PATH", help="path of the GraphQL endpoint")
    parser.add_argument("--timeout", type=float, default=120.0, help="seconds to start (120)")
    parser.add_argument("--hang", type=float, default=5.0, help="seconds of a request (5; 0: any)")
    parser.add_argument("--cache", default=".wallace/cache/python", help="folder of rewritten code")
    parser.add_argument("--verbose", action="store_true", help="say what is left out, and why")
    return parser.parse_args(words[:split]), words[split + 1 :]


if __name__ == "__main__":
    main()
