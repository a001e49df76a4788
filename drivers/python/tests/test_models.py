"""What models and serializers say about the rows that a service could have written."""

from __future__ import annotations

import enum
import json
import os
import re
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Annotated, Any, Literal, Optional

import pydantic
import pytest

from wallace_driver.database.constraint import constraints
from wallace_driver.database.read_model import models_of
from wallace_driver.database.schema import Column, ForeignKey, Schema, Table, message

_SOURCES = Path(__file__).resolve().parents[1] / "src"

_Name = Annotated[str, pydantic.Field(pattern=r"^[^/%&><]+$")]


class WorkQueue(pydantic.BaseModel):
    """A model that is read from rows."""

    model_config = pydantic.ConfigDict(from_attributes=True)

    name: _Name
    priority: Annotated[int, pydantic.Field(gt=0)] = 1
    # As older sources write it.
    limit: Optional[Annotated[int, pydantic.Field(ge=0, le=9)]] = None  # noqa: UP045
    kind: Literal["a", "b"] = "a"
    home: pydantic.HttpUrl | None = None
    either: int | str = 0
    early: int = 0
    elsewhere: int = 0

    @pydantic.field_validator("early", mode="before")
    @classmethod
    def from_null(cls, value: Any) -> Any:
        """Makes something of null."""
        return value or 0


class Work_Queue(WorkQueue):  # noqa: N801
    """Another model of the same rows, which asks for more."""

    limit: Annotated[int, pydantic.Field(ge=-3, lt=6)] | None = None


class Workqueue(pydantic.BaseModel):
    """A model of what comes in, which no row is read into."""

    name: Annotated[str, pydantic.Field(max_length=1)]


def _asked(schema: Schema) -> dict[str, dict[str, Any]]:
    return {
        one["columnName"]: {
            name: value for name, value in one["constraints"].items() if value is not None
        }
        for one in constraints(schema)
    }


def test_models_that_rows_are_read_into_say_what_rows_may_hold() -> None:
    names = "name priority limit kind home either early".split()
    table = Table("work_queue", columns=[Column(name, "TEXT") for name in names])
    other = Table("worker", columns=[Column("name", "TEXT")])
    schema = Schema(tables=[table, other])
    told = message(schema, constraints(schema))["tables"][0]["columns"]
    may_be_null = [one["name"] for one in told if one["nullable"]]
    assert may_be_null == ["limit", "home", "early"], "what the model says, not what the database"
    asked = _asked(schema)
    assert asked.pop("either") == {"isNullable": False}
    for name in ("name", "priority", "kind"):
        assert asked[name].pop("isNullable") is False
    assert re.fullmatch(asked["name"].pop("patternRegExp"), "a name")
    assert re.fullmatch(asked["home"].pop("patternRegExp"), "http://a.com/b")
    assert asked == {
        "name": {},
        "home": {},
        "priority": {"minValue": 1},
        "limit": {"minValue": 0, "maxValue": 5},
        "kind": {"enumValuesAsStrings": ["a", "b"]},
    }


class ReadAlarm(WorkQueue):
    """A model whose name begins with what is done."""


class Anything(pydantic.BaseModel):
    """A model with a name of its own, that has what a table has."""

    model_config = pydantic.ConfigDict(from_attributes=True)

    first: str
    second: int
    third: int
    fourth: str
    either: int | None = None


class Ticket(Anything):
    """A model that has a row of another table."""

    holder: WorkQueue
    watcher: WorkQueue | None = None


def test_what_a_model_has_of_another_table_is_referred_to() -> None:
    names = "first second third fourth either holder_id watcher_id other_id".split()
    ticket = Table("tickets", columns=[Column(name, "TEXT") for name in names])
    ticket.foreign_keys = [ForeignKey([name], "queue", ["id"]) for name in names[-3:]]
    asked = _asked(Schema(tables=[ticket]))
    assert asked["holder_id"] == {"isNullable": False}
    assert not asked.keys() & {"watcher_id", "other_id"}


@pytest.mark.parametrize(
    ("table", "columns", "wanted"),
    [
        ("alarms", "name priority limit kind home either early", "ReadAlarm"),
        ("other", "first second third fourth either more", "Anything"),
        ("other", "first second third fourth", ""),
    ],
)
def test_models_are_known_by_names_and_by_what_they_have(
    table: str, columns: str, wanted: str
) -> None:
    told = Table(table, columns=[Column(name, "TEXT") for name in columns.split()])
    found = [one.__name__ for one in models_of(told, [ReadAlarm, Anything])]
    assert found == wanted.split()


def test_addresses_are_known_by_the_names_of_columns_at_last() -> None:
    columns = [Column("url", "TEXT"), Column("home_url", "VARCHAR"), Column("curl", "TEXT")]
    columns += [Column("url_count", "TEXT"), Column("website", "INTEGER")]
    asked = _asked(Schema(tables=[Table("site", columns=columns)]))
    assert asked.keys() == {"url", "home_url"}
    assert re.fullmatch(asked["url"]["patternRegExp"], "https://a.org/")


_DJANGO = """
import json, sys
from django.conf import settings
settings.configure(INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth"])
import django
django.setup()
from django.core.validators import RegexValidator
from django.db import models
from rest_framework import serializers
from wallace_driver.database.constraint import constraints
from wallace_driver.database.read_model import models_of
from wallace_driver.database.schema import Column, ForeignKey, Schema, Table, message

class Link(models.Model):
    slug = models.SlugField()
    page = models.URLField()
    code = models.TextField(validators=[RegexValidator("^[A-Z]{3}$")])
    not_code = models.TextField(validators=[RegexValidator("^[A-Z]{3}$", inverse_match=True)])
    address = models.GenericIPAddressField()
    any = models.TextField()
    target = models.TextField()
    class Meta:
        app_label = "auth"
        db_table = "link"

class LinkSerializer(serializers.ModelSerializer):
    goes_to = serializers.URLField(source="target")
    any = serializers.CharField(read_only=True, min_length=7)
    class Meta:
        model = Link
        fields = "__all__"

names = "slug page code not_code address any target".split()
schema = Schema(tables=[Table("link", columns=[Column(name, "TEXT") for name in names])])
print(json.dumps({
    one["columnName"]: one["constraints"]["patternRegExp"]
    for one in constraints(schema) if one["constraints"]["patternRegExp"]
}))
"""


def test_classes_of_sqlalchemy_are_known_by_a_column() -> None:
    orm = pytest.importorskip("sqlalchemy.orm")
    sqlalchemy = pytest.importorskip("sqlalchemy")

    class Base(orm.DeclarativeBase):  # type: ignore[misc, name-defined]
        pass

    class Animal(Base):
        __tablename__ = "animals"
        id = orm.mapped_column(sqlalchemy.Integer, primary_key=True)
        kind = orm.mapped_column(sqlalchemy.String(20))
        __mapper_args__ = {"polymorphic_on": kind, "polymorphic_identity": "animal"}  # noqa: RUF012

    class Dog(Animal):
        __mapper_args__ = {"polymorphic_identity": "dog"}  # noqa: RUF012

    orm.configure_mappers()
    columns = [Column("id", "INTEGER", is_counted=True), Column("kind", "VARCHAR")]
    assert _asked(Schema(tables=[Table("animals", columns=columns)])) == {
        "id": {"minValue": 1},
        "kind": {"enumValuesAsStrings": ["animal", "dog"], "isNullable": False},
    }
    assert Dog.__mapper__.polymorphic_on is Animal.__table__.c.kind


def test_models_of_django_and_their_serializers_say_it() -> None:
    pytest.importorskip("rest_framework")
    printed = subprocess.run(
        [sys.executable, "-c", _DJANGO],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(_SOURCES)},
    ).stdout
    asked = json.loads(printed)
    texts = {
        "slug": "a-slug_1",
        "page": "https://a.org/b",
        "code": "ABC",
        "address": "10.1.2.3",
        "target": "http://ab.com/",
    }
    assert asked.keys() == texts.keys()
    for name, text in texts.items():
        assert re.fullmatch(asked[name], text), name
        assert not re.fullmatch(asked[name], "?"), name


def test_models_of_tortoise_say_it() -> None:
    tortoise = pytest.importorskip("tortoise")
    from tortoise import fields, validators
    from tortoise.models import Model

    class Mode(enum.IntEnum):
        SLOW = 1
        FAST = 7

    class Device(Model):
        id = fields.UUIDField(primary_key=True)
        mode = fields.IntEnumField(Mode, source_field="how")
        name = fields.CharField(20, validators=[validators.RegexValidator("^[a-z]+$", 0)])
        load = fields.IntField(validators=[validators.MaxValueValidator(9)])

        class Meta:
            table = "gadget"

    assert tortoise.__version__
    columns = [Column("id", "CHAR", 36), *(Column(one, "TEXT") for one in "how name load".split())]
    asked = _asked(Schema(tables=[Table("gadget", columns=columns)]))
    assert asked["how"]["enumValuesAsStrings"] == ["1", "7"]
    assert re.fullmatch(asked["name"]["patternRegExp"], "abc")
    assert asked["name"]["sizeMax"] == 20
    assert asked["load"]["maxValue"] == 9
    assert re.fullmatch(asked["id"]["patternRegExp"], str(uuid.uuid4()))
