"""Commands that start services, made fit for one worker without reloading."""

from __future__ import annotations

import pytest

from wallace_driver.service.command import adapted, parse


@pytest.mark.parametrize(
    ("given", "kind", "target", "arguments"),
    [
        ("uvicorn app:app --reload", "script", "uvicorn", "app:app --workers 1"),
        ("uvicorn --workers 4 a:b --reload-dir x", "script", "uvicorn", "a:b --workers 1"),
        ("python -m uvicorn --workers=3 a:b", "module", "uvicorn", "a:b --workers 1"),
        ("gunicorn -w 8 a:b", "script", "gunicorn", "a:b --workers 1"),
        ("hypercorn a:b", "script", "hypercorn", "a:b --workers 0"),
        ("flask --app x run --debug", "script", "flask", "--app x run --no-reload"),
        ("fastapi dev main.py --workers 2", "script", "fastapi", "dev main.py --no-reload"),
        ("litestar --app a:b run -r -W 3", "script", "litestar", "--app a:b run"),
        ("uv run --frozen uvicorn a:b", "script", "uvicorn", "a:b --workers 1"),
        ("poetry run python -u app.py", "file", "app.py", ""),
        ("python -X dev -Wignore -m flask run", "module", "flask", "run --no-reload"),
        ("./manage.py runserver 8000", "file", "./manage.py", "runserver 8000 --noreload"),
        ("python3.12 app.py --port 5", "file", "app.py", "--port 5"),
    ],
)
def test_commands_are_adapted(given: str, kind: str, target: str, arguments: str) -> None:
    command = adapted(parse(given.split()))
    assert (command.kind, command.target, " ".join(command.arguments)) == (kind, target, arguments)


@pytest.mark.parametrize("given", ["", "python -c pass", "python", "python -O app.py", "uv run"])
def test_other_commands_are_refused(given: str) -> None:
    with pytest.raises(ValueError, match=r"say how|can be run"):
        parse(given.split())


def test_the_application_is_found_among_the_arguments() -> None:
    assert parse("uvicorn --port 80 shop.web:app".split()).application == "shop.web:app"
    assert parse("flask run".split()).application == ""
