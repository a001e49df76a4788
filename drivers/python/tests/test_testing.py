"""`wallace.fuzz` in tests of pytest. The engine is a stand-in; cli/tests try the real one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .test_servers import free_port, needs

_SOURCES = Path(__file__).resolve().parents[1] / "src"

#: Resets twice with a call between, and tells what it saw as a fault.
_ENGINE = """#!{python}
import json, pathlib, sys, urllib.request
from http.client import HTTPConnection
options = dict(zip(sys.argv[2::2], sys.argv[3::2]))
host, port = options["--driver"].split(":")
driver = HTTPConnection(host, int(port))
def run(method, path, body=None):
    headers = {{"Content-Type": "application/json", "Connection": "keep-alive"}}
    driver.request(method, "/controller/api" + path, body and json.dumps(body), headers)
    text = driver.getresponse().read()
    return json.loads(text)["data"] if text else None
answers = []
for _ in range(2):
    run("PUT", "/runSUT", {{"run": True, "resetState": True}})
    info = run("GET", "/infoSUT")
    answers.append(urllib.request.urlopen(info["baseUrlOfSUT"] + "/count").read().decode())
names = info["unitsInfoDto"]["unitNames"]
report = pathlib.Path(options["--out"]) / "report/junit.xml"
report.parent.mkdir(parents=True)
text = f"calls {{options['--calls']}} answers {{answers}} units {{names}}"
report.write_text(
    '<testsuites><testsuite><testcase classname="GET:/count"><failure message="F100 wrong">'
    + text + "</failure></testcase></testsuite></testsuites>"
)
sys.exit({code})
"""

_ASGI = """
import json
count = 0
def reset():
    global count
    count = 0
async def app(scope, receive, send):
    global count
    if scope["type"] == "lifespan":
        while True:
            kind = (await receive())["type"]
            await send({"type": kind + ".complete"})
            if kind.endswith("shutdown"):
                return
    count += 1
    described = {"openapi": "3.0.0", "paths": {}}
    body = described if scope["path"] == "/openapi.json" else count
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": json.dumps(body).encode()})
"""

_WSGI = """
import json
count = 0
async def reset():
    global count
    count = 0
def app(environ, start_response):
    global count
    count += 1
    described = {"openapi": "3.0.0", "paths": {}}
    body = described if environ["PATH_INFO"] == "/openapi.json" else count
    start_response("200 OK", [])
    return [json.dumps(body).encode()]
"""

_TEST = """
import pytest
from counter import app, reset
from wallace import FaultsFoundError, fuzz

def test_faults():
    fuzz(app, calls=7, reset=reset)
"""


def run(folder: Path, application: str, code: int) -> str:
    """What pytest prints of a project with such an application."""
    files = {
        "counter.py": application,
        "test_it.py": _TEST,
        "pytest.ini": "[pytest]\nwallace_include = counter\npythonpath = .\n",
        "engine": _ENGINE.format(python=sys.executable, code=code),
    }
    for name, text in files.items():
        (folder / name).write_text(text)
    (folder / "engine").chmod(0o755)
    environment = {**os.environ, "PYTHONPATH": str(_SOURCES), "WALLACE": str(folder / "engine")}
    # Where the package is installed too, the plug-in would be found twice.
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    words = [sys.executable, "-m", "pytest", "-q", "-p", "wallace_driver.pytest_plugin"]
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True)
    return done.stdout + done.stderr


@pytest.mark.parametrize("application", [_ASGI, _WSGI], ids=["asgi", "wsgi"])
def test_faults_fail_the_test_with_their_requests(tmp_path: Path, application: str) -> None:
    needs("uvicorn")
    shown = run(tmp_path, application, 1)
    assert "1 failed" in shown
    assert "GET:/count: F100 wrong" in shown
    # A reset before each test, and the modules that the settings name.
    assert "calls 7 answers ['1', '1'] units ['counter']" in shown


def test_no_fault_is_no_failure(tmp_path: Path) -> None:
    assert "1 passed" in run(tmp_path, _WSGI, 0)


def test_a_search_that_fails_is_no_fault(tmp_path: Path) -> None:
    shown = run(tmp_path, _WSGI, 3)
    assert "the search failed" in shown
    assert "FaultsFoundError: 1" not in shown


_SUITE = """
import json, os, urllib.request
from http.client import HTTPConnection

def test_the_service_is_there():
    driver = HTTPConnection(os.environ["WALLACE_DRIVER"], timeout=60)
    for _ in range(2):
        body = json.dumps({"run": True, "resetState": True})
        headers = {"Content-Type": "application/json", "Connection": "keep-alive"}
        driver.request("PUT", "/controller/api/runSUT", body, headers)
        assert driver.getresponse().read() == b""
        driver.request("GET", "/controller/api/infoSUT", headers=headers)
        info = json.loads(driver.getresponse().read())["data"]
        assert info["unitsInfoDto"]["unitNames"] == ["__main__"]
        with urllib.request.urlopen(info["baseUrlOfSUT"] + "/count") as answer:
            assert answer.read()
"""

_SERVED = """
if __name__ == "__main__":
    import sys
    from wsgiref.simple_server import make_server
    if len(sys.argv) < 2:
        sys.exit("a port is needed")
    make_server("127.0.0.1", int(sys.argv[1]), app).serve_forever()
"""


@pytest.mark.parametrize("has_port", [True, False])
def test_a_suite_starts_its_service(tmp_path: Path, has_port: bool) -> None:
    command = f"{sys.executable} counter.py {free_port() if has_port else ''}"
    (tmp_path / "counter.py").write_text(_WSGI + _SERVED)
    (tmp_path / "test_suite.py").write_text(_SUITE)
    (tmp_path / "pytest.ini").write_text(f"[pytest]\nwallace_start = {command}\n")
    environment = {**os.environ, "PYTHONPATH": str(_SOURCES)}
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    words = [sys.executable, "-m", "pytest", "-q", "-p", "wallace_driver.pytest_plugin"]
    done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True)
    # One that does not start says why.
    expected = "1 passed" if has_port else "a port is needed"
    assert expected in done.stdout + done.stderr
