"""Forms of texts that the service itself writes: JSON, markup, addresses of the web, hashes.

A column of texts may hold JSON of which no model says so, and which only the service's own classes
can be read from. The best source is then what the service wrote. Rows of an engine get that, too.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timezone
from typing import Any

from .catalogue import quoted
from .form import URL
from .nullness import deliberate, unsaid
from .schema import Column, Schema, Table
from .session import DatabaseError, Session

#: Rows of a table that are looked at, how often, and values of a column that are kept.
_MOST_ROWS = 50
_MOST_LOOKS = 5
_MOST_VALUES = 10
#: Longest text that is kept, in characters.
_LONGEST = 4_000
_TEXTS = ("char", "text", "clob", "string")
_URL = re.compile(r"https?://\S+")
#: Hashes of passwords, as argon2, bcrypt, Django and Werkzeug write them.
_HASH = re.compile(r"(?:\$[a-z0-9-]{1,24}|[a-z0-9_]{3,24}\$\d+|(?:scrypt|pbkdf2):\S+?)\$\S{8,}")
_ASKING = re.compile(r"(\w+)[\"`\]]?\s+IS\s+(?:NOT\s+)?NULL", re.IGNORECASE)
_NUMBERS = {int, float}
#: A text where nothing is known of a column.
_ANY = "any"
_MARKUP = re.compile(r"\s*<[A-Za-z!?].*>\s*", re.DOTALL)


class Habits:
    """What the texts of columns look like, by the names of table and column in lower case."""

    def __init__(self, session: Session) -> None:
        """Nothing is known yet."""
        self._session = session
        self._forms: dict[tuple[str, str], str | None] = {}
        self._values: dict[tuple[str, str], list[str]] = {}
        self._absent: set[tuple[str, str]] = set()
        #: Columns that were seen with a null, and a value of those that were seen with one.
        self._null: set[tuple[str, str]] = set()
        self._filled: dict[tuple[str, str], Any] = {}
        #: Types of values in columns of moments, by the kinds of these.
        self._moments: dict[str, set[type]] = {}
        #: Columns that may be null on purpose, and names of those that the service asks it of.
        self._deliberate: set[tuple[str, str]] | None = None
        self._asked: set[str] = set()
        self._unsaid: set[tuple[str, str]] = set()
        self._looks: Counter[str] = Counter()

    def learn(self, table: Table) -> None:
        """Looks at rows of a table in which there are none of an engine."""
        if not table.columns or self._looks[table.name] >= _MOST_LOOKS:
            return
        self._looks[table.name] += 1
        texts = {one.name for one in _texts(table)}
        names = ", ".join(quoted(one.name) for one in table.columns)
        place = quoted(table.name)
        if table.schema is not None:
            place = f"{quoted(table.schema)}.{place}"
        with suppress(DatabaseError):
            rows = self._session.rows(f"SELECT {names} FROM {place} LIMIT {_MOST_ROWS}")
            for column, values in zip(table.columns, zip(*rows, strict=True), strict=False):
                key = _key(table, column)
                self._note_nulls(key, column, values)
                # What has no form once has none.
                if column.name in texts and self._forms.get(key, "") is not None:
                    self._note(key, values)

    def _note_nulls(self, key: tuple[str, str], column: Column, values: tuple[Any, ...]) -> None:
        if None in values:
            self._null.add(key)
        known = next((value for value in values if value is not None), None)
        if known is not None and not column.is_unique:
            self._filled.setdefault(key, known)
        if is_moment(column) and known is not None:
            self._moments.setdefault(column.kind.lower(), set()).update(
                type(value) for value in values if value is not None
            )

    def _note(self, key: tuple[str, str], values: tuple[Any, ...]) -> None:
        texts = [_text(value) for value in values if value not in (None, "")]
        if len(texts) < len(values):
            self._absent.add(key)
        forms = {_form(text) for text in texts}
        if not forms:
            return
        known = self._forms.get(key)
        is_one = len(forms) == 1 and (key not in self._forms or forms == {known})
        self._forms[key] = form = forms.pop() if is_one else None
        if form is None:
            self._values.pop(key, None)
            return
        kept = self._values.setdefault(key, [])
        for text in texts:
            if text not in kept and len(kept) < _MOST_VALUES and len(text) <= _LONGEST:
                kept.append(text)

    def asked(self, schema: Schema) -> Iterator[tuple[Table, Column, dict[str, Any]]]:
        """What is known of columns, in the words of the protocol."""
        for table in schema.tables:
            for column in table.columns:
                key = _key(table, column)
                if self._forms.get(key) == "address":
                    yield table, column, {"patternRegExp": URL}
                elif self._values.get(key) and self._forms[key] != "hash":
                    # Hashes of passwords belong into no suite.
                    yield table, column, {"enumValuesAsStrings": self._values[key]}

    def expect_json(self, table: Table, name: str) -> None:
        """The service has read a text of an engine as JSON, in vain."""
        self._forms.setdefault((table.name.lower(), name.lower()), "json")

    def expect_null(self, statement: str) -> None:
        """The service asks whether columns are null, and so they may be."""
        self._asked.update(name.lower() for name in _ASKING.findall(statement))

    def instead(self, table: Table, name: str, text: str) -> str | None:
        """A text that the service wrote, where one of an engine has another form. Raises
        `DatabaseError` where none is known.
        """
        key = (table.name.lower(), name.lower())
        form = self._forms.get(key)
        if form is None or (not text and key in self._absent) or (text and _form(text) == form):
            return None
        values = self._values.get(key)
        if values:
            return values[0]
        raise DatabaseError(f"no {form} is known for {name}")

    def moment(self, column: Column, text: str) -> str | None:
        """A moment as a number, where the service keeps such; SQLite has no type of its own."""
        if not is_moment(column) or not self._moments.get(column.kind.lower(), {str}) <= _NUMBERS:
            return None
        with suppress(ValueError):
            return str(int(datetime.fromisoformat(text).replace(tzinfo=timezone.utc).timestamp()))
        return None

    def written(self, table: Table, name: str) -> Any:
        """A value that the service itself wrote; nothing where none is known."""
        return self._filled.get((table.name.lower(), name.lower()))

    def is_always_there(self, table: Table, name: str) -> bool:
        """Whether the service has always written something in a column that may be null, and nobody
        has said that it may leave it out.
        """
        key = (table.name.lower(), name.lower())
        if key not in self._filled or key in self._null or key[1] in self._asked:
            return False
        return key not in self._said()

    def _said(self) -> set[tuple[str, str]]:
        """The columns that may be null on purpose."""
        if self._deliberate is None:
            self._deliberate = deliberate()
            self._unsaid = unsaid() - self._deliberate
        return self._deliberate

    def instead_of_null(self, table: Table, name: str) -> Any:
        """A value that the service wrote, where it has always written one; otherwise null. Raises
        `DatabaseError` where the service reads what there is, and no value is known.
        """
        key = (table.name.lower(), name.lower())
        values = self._values.get(key)
        if values and key not in self._absent:
            return values[0]
        if key in self._null or key[1] in self._asked or _refers(table, name):
            return None
        if key in self._said():
            return None
        if self._forms.get(key) is not None and not values:
            raise DatabaseError(f"no {self._forms[key]} is known for {name}")
        is_text = any(one.name.lower() == key[1] for one in _texts(table))
        # A text is a smaller risk than a null that the service has never written.
        return self._filled.get(key, _ANY if key in self._unsaid and is_text else None)


def is_moment(column: Column) -> bool:
    """Whether a column holds days or times, by the name of its kind."""
    return any(part in column.kind.lower() for part in ("date", "time"))


def _refers(table: Table, name: str) -> bool:
    return any(name in key.columns for key in table.foreign_keys)


def _texts(table: Table) -> list[Column]:
    """Columns of texts whose values may be the same in several rows."""
    referring = {name for key in table.foreign_keys for name in key.columns}
    named = referring | set(table.primary_key)
    return [
        one
        for one in table.columns
        if not one.is_unique and not one.is_better_left and one.name not in named and _is_text(one)
    ]


def _is_text(column: Column) -> bool:
    kind = column.kind.lower()
    return kind.startswith("json") or any(part in kind for part in _TEXTS)


def _key(table: Table, column: Column) -> tuple[str, str]:
    return table.name.lower(), column.name.lower()


def _text(value: Any) -> str:
    """A value as it is written; some libraries read JSON at once."""
    return json.dumps(value) if isinstance(value, (dict, list)) else str(value)


def _form(text: str) -> str | None:
    if text.lstrip()[:1] in ("{", "["):
        with suppress(ValueError):
            json.loads(text)
            return "json"
    if _URL.fullmatch(text):
        return "address"
    if _HASH.fullmatch(text):
        return "hash"
    return "markup" if _MARKUP.fullmatch(text) else None
