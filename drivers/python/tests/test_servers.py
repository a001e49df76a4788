"""Services started by their own commands, each driven through a short session."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest

_ROOT = Path(__file__).resolve().parents[1]
_START = "Started controller server on: http://localhost:"


class Session:
    """A driver in a process of its own, and its engine."""

    def __init__(self, driver_port: int, process: subprocess.Popen[str], said: list[str]) -> None:
        self.process = process
        self.said = said
        self.connection = HTTPConnection("127.0.0.1", driver_port, timeout=60)
        self.put("/runSUT", {"run": True, "resetState": True})
        self.info = self.get("/infoSUT")
        self.connection.request("POST", "/controller/api/newSearch")
        assert self.connection.getresponse().read()

    def put(self, path: str, body: object) -> None:
        headers = {"Content-Type": "application/json"}
        self.connection.request("PUT", f"/controller/api{path}", json.dumps(body), headers)
        response = self.connection.getresponse()
        assert (response.status, response.read()) == (204, b"")

    def get(self, path: str) -> Any:
        self.connection.request(
            "GET", f"/controller/api{path}", headers={"Connection": "keep-alive"}
        )
        answer = json.loads(self.connection.getresponse().read())
        assert answer["error"] is None
        return answer["data"]

    def call(self, path: str) -> str:
        with urllib.request.urlopen(self.info["baseUrlOfSUT"] + path, timeout=20) as response:
            text: bytes = response.read()
            return text.decode()

    def test(self, *paths: str) -> dict[str, Any]:
        """Targets of a test that calls the paths, by name."""
        self.put("/runSUT", {"run": True, "resetState": True})
        for index, path in enumerate(paths):
            self.put("/newAction", {"index": index, "name": path})
            self.call(path)
        targets = self.get("/testResults?descriptiveIds=true")["targets"]
        return {target["descriptiveId"]: target for target in targets}


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as one:
        port: int = one.getsockname()[1]
        return port


@contextlib.contextmanager
def driven(
    folder: Path, options: str, *command: str, service: str = "fixtures"
) -> Iterator[Session]:
    environment = {**os.environ, "PYTHONPATH": str(_ROOT / "src")}
    cache = folder / "cache"
    words = [*f"--port 0 --cache {cache} {options}".split(), "--", *command]
    process = subprocess.Popen(
        [sys.executable, "-m", "wallace_driver", *words],
        cwd=_ROOT / service,
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        said = []
        for line in process.stderr:
            said.append(line)
            if line.startswith(_START):
                break
        else:
            pytest.fail("".join(said))
        port = int(said[-1].removeprefix(_START).split("/")[0])
        threading.Thread(target=lambda: said.extend(process.stderr or []), daemon=True).start()
        yield Session(port, process, said)
    finally:
        process.terminate()
        process.wait(timeout=20)


def needs(module: str) -> None:
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"{module} is not installed")


@pytest.mark.parametrize(
    ("module", "command"),
    [
        ("uvicorn", "uvicorn --port {} case_study.scs:app --workers 2"),
        ("uvicorn", "{python} -m uvicorn --port {} case_study.scs:app"),
        ("hypercorn", "hypercorn --bind 127.0.0.1:{} case_study.scs:app"),
        ("flask", "flask --app case_study.flask_scs run --port {} --debug"),
        ("gunicorn", "gunicorn --bind 127.0.0.1:{} case_study.flask_scs:app"),
        ("granian", "granian --port {} --interface asgi --workers 2 case_study.scs:app"),
        ("granian", "granian --port {} --interface wsgi case_study.flask_scs:app"),
        ("waitress", "waitress-serve --listen 127.0.0.1:{} case_study.flask_scs:app"),
        ("litestar", "uvicorn --port {} case_study.litestar_scs:app"),
        ("aiohttp", "{python} -m case_study.aiohttp_scs {}"),
    ],
)
def test_known_servers(tmp_path: Path, module: str, command: str) -> None:
    needs(module)
    needs("flask" if "flask" in command else "fastapi")
    words = command.replace("{}", str(free_port())).replace("{python}", sys.executable).split()
    scripts = Path(sys.executable).parent
    if (scripts / words[0]).exists():
        words[0] = str(scripts / words[0])
    with driven(tmp_path, "--include case_study", *words) as session:
        assert "openapi" in session.info["restProblem"]["openApiUrl"]
        assert "case_study.text" in session.info["unitsInfoDto"]["unitNames"]
        title = "Branch_at_case_study.text_at_line_{:05}_position_0_{}"
        line = next(
            number
            for number, text in enumerate(
                (_ROOT / "fixtures/case_study/text.py").read_text().splitlines(), 1
            )
            if 'if sex == "male"' in text
        )
        targets = session.test("/api/title/mala/x", "/api/title/male/mr")
        assert targets[title.format(line, "falseBranch")]["actionIndex"] == 0
        assert targets[title.format(line, "trueBranch")]["actionIndex"] == 1
        assert 0 < session.test("/api/title/mala/x")[title.format(line, "trueBranch")]["value"] < 1


def test_an_endpoint_that_only_the_routes_tell(tmp_path: Path) -> None:
    needs("ariadne")
    words = [
        sys.executable,
        "-m",
        "uvicorn",
        "--port",
        str(free_port()),
        "case_study.ariadne_scs:app",
    ]
    with driven(tmp_path, "--include case_study", *words) as session:
        assert session.info["graphQLProblem"]["endpoint"] == "/inner/gql/"


@pytest.mark.parametrize(
    ("module", "name", "command", "path"),
    [
        ("fastapi", "fastapi_orders", "-m uvicorn --port", "/orders/tea-1"),
        ("flask", "flask_orders", "-m flask --app flask_orders run --port", "/price?item=t"),
        ("django", "django_orders", "django_orders.py runserver", "/prices/coffee"),
    ],
)
def test_examples(tmp_path: Path, module: str, name: str, command: str, path: str) -> None:
    needs(module)
    needs("uvicorn")
    words = [sys.executable, *command.split(), str(free_port())]
    if module == "fastapi":
        words.append(f"{name}:app")
    with driven(tmp_path, f"--include {name}", *words, service="examples") as session:
        assert session.info["restProblem"]["openApiUrl"].endswith("/openapi.json")
        with contextlib.suppress(HTTPError):
            session.test(path)
        targets = session.get("/testResults?descriptiveIds=true")["targets"]
        assert any("Branch" in target["descriptiveId"] for target in targets)


def test_a_project_of_django(tmp_path: Path) -> None:
    needs("django")
    command = (sys.executable, "django_notes.py", "runserver", str(free_port()))
    with driven(tmp_path, "--include django_notes", *command) as session:
        targets = session.test("/notes/a?EMextraParam123=1", "/notes/secret")
        branches = {name for name in targets if "Branch" in name and targets[name]["value"] == 1.0}
        assert len(branches) == 3
        info = session.get("/testResults")["additionalInfoList"]
        assert info[0]["queryParameters"] == ["quiet"]


def test_a_file_with_a_reset(tmp_path: Path) -> None:
    command = (sys.executable, "plain_wsgi.py", str(free_port()))
    with driven(tmp_path, "--include plain_wsgi --reset __main__:forget", *command) as session:
        session.test("/notes/a", "/notes/b")
        assert session.call("/notes/c") == '["a", "b", "c"]'
        session.put("/runSUT", {"run": True, "resetState": True})
        assert session.call("/notes/c") == '["c"]'


@pytest.mark.parametrize("kind", ["wsgi", "uvicorn", "django"])
def test_a_fresh_process_for_each_test(tmp_path: Path, kind: str) -> None:
    port = str(free_port())
    command = [sys.executable, "plain_wsgi.py", port]
    if kind == "uvicorn":
        needs("uvicorn")
        needs("fastapi")
        command = [sys.executable, "-m", "uvicorn", "--port", port, "counting:app"]
    elif kind == "django":
        needs("django")
        command = [sys.executable, "django_notes.py", "runserver", port]
    module = {"wsgi": "plain_wsgi", "uvicorn": "counting", "django": "django_notes"}[kind]
    with driven(tmp_path, f"--reset fork --include {module}", *command) as session:
        for _ in range(3):
            targets = session.test("/notes/a", "/notes/secret")
            assert json.loads(session.call("/notes/c")) == ["a", "found", "c"]
            actions = {name: one["actionIndex"] for name, one in targets.items()}
            assert 1 in actions.values()
        assert session.get("/testResults?ids=")["targets"]


def test_a_request_that_hangs_is_ended(tmp_path: Path) -> None:
    command = (sys.executable, "plain_wsgi.py", str(free_port()))
    with driven(tmp_path, "--include plain_wsgi", *command) as session:
        session.put("/runSUT", {"run": True, "resetState": True})
        session.put("/newAction", {"index": 0, "name": "slow"})
        with pytest.raises((OSError, TimeoutError)):
            urllib.request.urlopen(session.info["baseUrlOfSUT"] + "/notes/slow", timeout=0.5)
        session.get("/testResults?killSwitch=true")
        session.put("/runSUT", {"run": True, "resetState": True})
        assert "x" in json.loads(session.call("/notes/x"))


@pytest.mark.parametrize("path", ["/hang/wait", "/hang/busy", "/block/busy"])
def test_hanging_requests_of_all_kinds_are_ended(tmp_path: Path, path: str) -> None:
    needs("uvicorn")
    needs("fastapi")
    command = (sys.executable, "-m", "uvicorn", "--port", str(free_port()), "counting:app")
    with driven(tmp_path, "--include counting", *command) as session:
        session.put("/runSUT", {"run": True, "resetState": True})
        session.put("/newAction", {"index": 0, "name": "slow"})
        with pytest.raises((OSError, TimeoutError)):
            urllib.request.urlopen(session.info["baseUrlOfSUT"] + path, timeout=0.5)
        session.get("/testResults?killSwitch=true")
        session.put("/runSUT", {"run": True, "resetState": True})
        assert json.loads(session.call("/notes/x")) == ["x"]
