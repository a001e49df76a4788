"""What is changed of servers that a service starts itself."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from wallace_driver.service import server_hook


def test_a_reloader_that_the_service_asks_for_is_not_started() -> None:
    asked = []

    class Server:
        pass

    def run_simple(
        host: str, port: int, app: object, use_reloader: bool = False, processes: int = 1
    ) -> None:
        asked.append((host, port, use_reloader, processes))

    serving: Any = ModuleType("serving")
    serving.BaseWSGIServer, serving.run_simple = Server, run_simple
    server_hook._werkzeug(serving)
    serving.run_simple("a", 1, None, True)
    serving.run_simple("a", port=2, app=None, use_reloader=True, processes=4)
    assert asked == [("a", 1, False, 1), ("a", 2, False, 1)]


def test_uvicorn_serves_in_the_process_itself() -> None:
    class Config:
        def __init__(self, app: str, reload: bool = False, workers: int = 1) -> None:
            self.app, self.reload, self.workers = app, reload, workers

        def load(self) -> None:
            pass

    module: Any = ModuleType("config")
    module.Config = Config
    server_hook._uvicorn(module)
    config = module.Config("shop:app", reload=True, workers=4)
    assert (config.app, config.reload, config.workers) == ("shop:app", False, 1)
