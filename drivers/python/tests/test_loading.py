"""Finding, loading and caching of the service's own modules."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.machinery import FileFinder, SourceFileLoader
from pathlib import Path

import pytest

from wallace_driver.__main__ import _ownership as ownership_of
from wallace_driver.loading.cache import CodeCache
from wallace_driver.loading.hook import set_up
from wallace_driver.loading.ownership import Ownership, of_distribution, under
from wallace_driver.runtime.epoch import units
from wallace_driver.runtime.recorder import RECORDER
from wallace_driver.service.command import parse

_SOURCE = Path(__file__).resolve().parents[1] / "src"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    files = {
        "shop_one/__init__.py": "",
        "shop_one/price.py": "def total(x):\n    if x > 5:\n        return 1\n    return 0\n",
        "shop_one/tests/__init__.py": "",
        "shop_one/tests/test_price.py": "assert False\n",
        "shop_one/broken.py": "def (\n",
        "solo_one.py": "x = 1\n",
        ".venv/lib/python3/site-packages/foreign.py": "x = 1\n",
        "environment/pyvenv.cfg": "",
        "environment/module.py": "x = 1\n",
    }
    for name, text in files.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    finders, modules = list(sys.meta_path), set(sys.modules)
    yield tmp_path
    sys.meta_path[:] = finders
    for name in set(sys.modules) - modules:
        del sys.modules[name]


def test_a_module_is_one_by_whatever_name_it_is_imported(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up(Ownership(patterns=["shop_one"]), project / "cache")
    before = units()
    monkeypatch.syspath_prepend(str(project / "shop_one"))
    assert importlib.import_module("price").total(9) == 1
    RECORDER.collect()
    assert {table.unit for table, _ in RECORDER.touched()} == {"shop_one.price"}
    assert units() == before


def test_a_product_is_all_of_its_distributions(project: Path) -> None:
    needed = {"shop": ["shop-core>=1", "other", "shop_extra; extra == 'x'"], "shop_core": []}
    for name, requires in {**needed, "other": [], "shop_extra": []}.items():
        folder = project / f"{name}-1.0.dist-info"
        folder.mkdir()
        lines = [f"Name: {name}", "Version: 1.0", *(f"Requires-Dist: {one}" for one in requires)]
        (folder / "METADATA").write_text("\n".join(lines) + "\n")
        (folder / "top_level.txt").write_text(f"{name}_package\n")
    (project / "shop-1.0.dist-info/entry_points.txt").write_text(
        "[console_scripts]\nopen-shop = shop_package.cli:main\n"
    )
    assert of_distribution("open-shop", "") == ["shop_core_package", "shop_package"]
    assert of_distribution("uvicorn", "other_package.app:app") == ["other_package"]


def test_own_modules_are_known_before_they_are_imported(project: Path) -> None:
    set_up(Ownership(roots=[project]), project / "cache")
    names, lines, branches = units()
    assert names == ["shop_one", "shop_one.price", "solo_one"]
    assert (lines, branches) == (5, 2)
    price = importlib.import_module("shop_one.price")
    assert price.total(9) == 1
    RECORDER.collect()
    assert len(RECORDER.touched()) == 5
    assert "price.py" in price.total.__code__.co_filename


def test_patterns_name_modules_and_all_below_them(project: Path) -> None:
    owned = Ownership(patterns=["shop_one"])
    assert [name for name, _ in owned.modules()] == [
        "shop_one",
        "shop_one.broken",
        "shop_one.price",
    ]
    assert not owned.owns("solo_one", str(project / "solo_one.py"))
    assert not owned.owns("shop_one.tests.test_price", "x.py")


class _CheckingLoader(SourceFileLoader):
    """As those of checkers of types."""


def test_modules_that_a_checker_of_types_loads_are_own_all_the_same(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    details = (_CheckingLoader, [".py"])
    monkeypatch.setattr(sys, "path_hooks", [FileFinder.path_hook(details)])
    monkeypatch.setattr(sys, "path_importer_cache", {})
    set_up(Ownership(patterns=["shop_one"]), project / "cache")
    module = importlib.import_module("shop_one.price")
    assert module.total(9) == 1
    RECORDER.collect()
    assert {table.unit for table, _ in RECORDER.touched()} >= {"shop_one.price"}
    told = capsys.readouterr().err
    assert told.count("adds to modules of the service is left out") == 1


def test_environments_are_not_own(project: Path) -> None:
    owned = under(project)
    assert owned.owns("solo_one", str(project / "solo_one.py"))
    assert not owned.owns("foreign", str(project / ".venv/lib/python3/site-packages/foreign.py"))
    assert not owned.owns("module", str(project / "environment/module.py"))


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("uvicorn shop.web:app", "shop.parts.one.models shop.routers.items shop.web"),
        ("python -m shop.web", "shop.parts.one.models shop.routers.items shop.web"),
        ("python shop/web.py", "parts.one.models routers.items web"),
        ("uvicorn --app-dir shop web:app", "parts.one.models routers.items web"),
        ("fastapi run shop/web.py", "parts.one.models routers.items web"),
        ("gunicorn web:app --chdir=shop", "parts.one.models routers.items web"),
    ],
)
def test_folders_without_an_init_file_are_packages_where_they_are_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, names: str
) -> None:
    own = "shop." if names.startswith("shop.") else ""
    files = {
        "shop/web.py": f"from {own}routers.items import router\n",
        "shop/routers/items.py": "router = 1\nAPPS = ['shop.parts.one']\n",
        "shop/pages/unused.py": "x = 1\n",
        "docs/conf.py": "x = 1\n",
        "shop/parts/one/models.py": "x = 1\n",
    }
    for name, text in files.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    monkeypatch.chdir(tmp_path)
    owned = ownership_of([], parse(command.split()))
    assert [name for name, _ in owned.modules()] == names.split()


def test_a_source_folder_is_a_package_or_a_place_but_not_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/web.py").write_text("x = 1\n")
    monkeypatch.chdir(tmp_path)
    command = parse("uvicorn src.web:app".split())
    assert [name for name, _ in ownership_of([], command).modules()] == ["web"]
    (tmp_path / "src/__init__.py").write_text("")
    assert [name for name, _ in ownership_of([], command).modules()] == ["src", "src.web"]


_HOOK = (
    f"import sys; sys.path.insert(0, {str(_SOURCE)!r})\n"
    "from pathlib import Path\n"
    "from wallace_driver.loading.hook import set_up\n"
    "from wallace_driver.loading.ownership import Ownership\n"
    "set_up(Ownership(patterns=['shop_one']), Path('cache'))\n"
)


def test_code_runs_to_the_very_end_of_the_interpreter(project: Path) -> None:
    (project / "shop_one/late.py").write_text(
        "import os, sys\n"
        "class Held:\n"
        "    def __del__(self, write=os.write):\n"
        "        if self == 1 or len(self.name) > 2:\n"
        "            write(1, b'closed')\n"
        # It goes with the modules, after the names that were added to the built-in ones.
        "held = sys.modules['held'] = Held()\n"
        "held.name = 'held'\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(project)}
    for hook in ("", _HOOK):
        arguments = [sys.executable, "-c", hook + "import shop_one.late"]
        done = subprocess.run(
            arguments, cwd=project, env=environment, capture_output=True, text=True
        )
        assert (done.stdout, done.stderr) == ("closed", "")


def test_a_plain_start_after_an_instrumented_one_works(project: Path) -> None:
    command = "from shop_one.price import total; print(total(9))"
    plain = [sys.executable, "-c", command]
    environment = {**os.environ, "PYTHONPATH": str(project)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    for arguments in ([sys.executable, "-c", _HOOK + command], plain, plain):
        done = subprocess.run(
            arguments, cwd=project, env=environment, capture_output=True, text=True, check=True
        )
        assert done.stdout == "1\n"


def test_code_is_cached_apart_and_follows_the_source(tmp_path: Path) -> None:
    cache = CodeCache(tmp_path / "cache")
    first = cache.load(b"x = 1\n", "/a.py", "a")
    assert cache.load(b"x = 1\n", "/a.py", "a") == first
    files = sorted(file.suffix for file in (tmp_path / "cache").iterdir())
    assert files == ["", ".code"]
    assert len(cache.load(b"x = 1\ny = 2\n", "/a.py", "a").sites) == 2
    for file in (tmp_path / "cache").glob("*.code"):
        file.write_bytes(b"broken")
    assert cache.load(b"x = 1\n", "/a.py", "a").sites == first.sites


def test_what_is_nested_too_deeply_is_loaded_plain(tmp_path: Path) -> None:
    source = "x = " + "(" * 80 + "1" + ")" * 80 + "\n" + "y = " + "-" * 9_000 + "x\n"
    try:
        compile(source, "a", "exec")
    except (RecursionError, MemoryError):
        pytest.skip("this interpreter does not compile it either")
    assert CodeCache(tmp_path).load(source.encode(), "/a.py", "a").code is not None


def test_scripts_of_an_environment_in_the_project_are_not_its_own(tmp_path: Path) -> None:
    for name in ("pyvenv.cfg", "bin/tool.py", "shop.py"):
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text("")
    owned = Ownership(roots=[tmp_path])
    assert owned.owns("shop", str(tmp_path / "shop.py"))
    assert not owned.owns("tool", str(tmp_path / "bin/tool.py"))
