"""What the tests share: a client for the service under test, and checks that say what
was sent, what came back and what was expected instead.
"""

import json
import os
import pathlib
import re
import urllib.parse

import requests
from urllib3.exceptions import ProtocolError

# Where the service is expected unless WALLACE_BASE_URL names another place.
DEFAULT_BASE_URL = "http://localhost:8080"

# Where the service takes GraphQL requests.
GRAPHQL_PATH = "/graphql"

# How long a test waits for an answer, in seconds.
TIMEOUT = 60

# Longest request or answer that a failure message shows, in characters.
SHOWN = 4000

__tracebackhide__ = True


def connect():
    """The service, in its first state if it has a driver."""
    driver = os.environ.get("WALLACE_DRIVER")
    if driver:
        return Service(start(driver))
    return Service(os.environ.get("WALLACE_BASE_URL", DEFAULT_BASE_URL))


def start(driver):
    """Has a driver start the service or bring its state back; gives the base URL."""
    api = elsewhere(driver).rstrip("/") + "/controller/api"
    headers = {"Connection": "keep-alive"}
    run = {"run": True, "resetState": True}
    with session() as client:
        client.put(f"{api}/runSUT", json=run, headers=headers, timeout=300).raise_for_status()
        info = client.get(f"{api}/infoSUT", headers=headers, timeout=300)
        info.raise_for_status()
        return info.json()["data"]["baseUrlOfSUT"]


def elsewhere(path):
    """The URL of what is not asked of the service: the driver is named by URL, host or port."""
    if "://" in path:
        return path
    return ("http://localhost:" if path.split("/")[0].isdigit() else "http://") + path


def session():
    client = requests.Session()
    client.trust_env = False
    client.verify = os.environ.get("REQUESTS_CA_BUNDLE") or True
    return client


class Service:
    """The service under test."""

    def __init__(self, base_url):
        self.base_url = base_url.rstrip("/")

    def graphql(self, document):
        return self.post(GRAPHQL_PATH).graphql(document)

    def get(self, path):
        return self.request("GET", path)

    def post(self, path):
        return self.request("POST", path)

    def put(self, path):
        return self.request("PUT", path)

    def patch(self, path):
        return self.request("PATCH", path)

    def delete(self, path):
        return self.request("DELETE", path)

    def request(self, method, path):
        return Request(self.base_url, method, path)


class Request:
    """A request that is being put together."""

    def __init__(self, base_url, method, path):
        self.base_url, self.method, self.path = base_url, method, path
        self.headers, self.values = [], {}
        self.media_type, self.content, self.message = None, None, None

    def header(self, name, value):
        self.headers.append((name, value))
        return self

    def graphql(self, document):
        """Sends a GraphQL document. One that starts on a new line loses its indentation."""
        self.message = {"query": without_indentation(document)}
        self.media_type = "application/json"
        return self

    def variables(self, values):
        self.message["variables"] = values
        return self

    def operation(self, name):
        self.message["operationName"] = name
        return self

    def json(self, value):
        return self.text("application/json", sent_json(value), is_filled=False)

    def text(self, media_type, text, is_filled=True):
        self.content = lambda: self._filled(text) if is_filled else text
        self.media_type = media_type
        return self

    def fill(self, name, value):
        """Puts a value in place of {{name}} in path, headers, document and text."""
        self.values[name] = value
        return self

    def _filled(self, text):
        known = self.values
        return re.sub(r"\{\{(\w+)\}\}", lambda it: known.get(it[1], it[0]), text)

    def _payload(self):
        if self.message is not None:
            return sent_json({**self.message, "query": self._filled(self.message["query"])})
        return self.content() if self.content else None

    def send(self):
        path = self._filled(self.path)
        url = self.base_url + path if path.startswith("/") else elsewhere(path)
        headers = {name: self._filled(value) for name, value in self.headers}
        given = {name.lower() for name in headers}
        if self.media_type is not None and "content-type" not in given:
            headers["Content-Type"] = self.media_type
        payload = self._payload()
        sent = f"{self.method} {url}" + (f"\n{payload}" if payload else "")
        try:
            with session() as client:
                answer = client.request(
                    self.method,
                    url,
                    headers={key: value.encode() for key, value in headers.items()},
                    data=payload.encode() if payload is not None else None,
                    allow_redirects=False,
                    timeout=TIMEOUT,
                )
        except requests.RequestException as error:
            raise NoAnswer(
                f"no answer from {url} ({error})\n"
                "Is the service running? Set WALLACE_BASE_URL if it is somewhere else.\n\n"
                f"request: {shortened(sent)}",
                is_drop=bool(error.args) and isinstance(error.args[0], ProtocolError),
            ) from None
        return Response(sent, answer)

    def expect_no_answer(self):
        """The connection ends without an answer, and the service still listens."""
        try:
            response = self.send()
        except NoAnswer as failure:
            if not failure.is_drop:
                raise
        else:
            response._fail(f"answer: expected none, found status {response.status}")


class NoAnswer(AssertionError):
    """Nothing came back; dropped is what a service that listens did not answer."""

    def __init__(self, message, *, is_drop):
        super().__init__(message)
        self.is_drop = is_drop


class Response:
    """What the service answered."""

    def __init__(self, sent, answer):
        self.sent, self.status = sent, answer.status_code
        self.media_type = answer.headers.get("content-type", "").split(";")[0].strip().lower()
        self.headers = answer.headers
        self.text = answer.content.decode("utf-8", "replace")
        try:
            self.json = json.loads(self.text)
        except ValueError:
            self.json = Absent

    def expect_status(self, expected):
        if self.status != expected:
            self._fail(f"status: expected {expected}, found {self.status}")

    def expect_media_type(self, expected):
        if self.media_type != expected:
            self._fail(f"media type: expected {expected}, found {self.media_type!r}")

    def expect_header(self, name):
        if not self.headers.get(name):
            self._fail(f"header {name}: expected some, found none")

    def expect_json(self, pointer, expected):
        """The JSON value at the pointer (RFC 6901) is this one."""
        differences = compare(expected, self.value(pointer), pointer)
        if differences:
            self._fail("\n".join(differences))

    def expect_errors(self, expected):
        """The answer has these errors, in any order. Only what is written is compared."""
        found = self.value("/errors")
        left = list(found) if isinstance(found, list) else []
        if len(left) != len(expected):
            self._fail(f"/errors: expected {len(expected)} errors, found {len(left)}")
        for error in expected:
            match = next((it for it in left if includes(it, error)), Absent)
            if match is Absent:
                self._fail(f"/errors: expected {show(error)}, found {show(found)}")
            left.remove(match)

    def expect_present(self, pointer):
        self.value(pointer)

    def expect_absent(self, pointer):
        found = find(self.json, pointer)
        if found is not Absent:
            self._fail(f"{place(pointer)}: expected nothing, found {show(found)}")

    def expect_text(self, expected):
        if self.text != expected:
            self._fail(f"body: expected {expected!r}, found {self.text!r}")

    def expect_empty_body(self):
        if self.text:
            self._fail("body: expected none")

    def value(self, pointer):
        """The JSON value at the pointer, for use in a later request."""
        if self.json is Absent:
            self._fail("body: expected JSON")
        found = find(self.json, pointer)
        if found is Absent:
            self._fail(f"{place(pointer)}: expected a value, found nothing")
        return found

    def header(self, name):
        """The value of a header, for use in a later request."""
        self.expect_header(name)
        return self.headers[name]

    def part_of_address(self, pointer, from_end):
        """A part of the path of the address at the pointer, counted from the last, which is 1."""
        return self._part(self.value(pointer), from_end)

    def part_of_location(self, from_end):
        """A part of the path that the header Location leads to."""
        return self._part(self.header("location"), from_end)

    def _part(self, address, from_end):
        parts = [part for part in urllib.parse.urlsplit(str(address)).path.split("/") if part]
        if len(parts) < from_end:
            self._fail(f"address {address}: expected {from_end} parts or more")
        return urllib.parse.unquote(parts[-from_end])

    def _fail(self, complaint):
        __tracebackhide__ = True
        raise AssertionError(
            f"{complaint}\n\nrequest: {shortened(self.sent)}\n\n"
            f"answer: {self.status} {self.media_type}\n{shortened(self.text)}"
        )


class Absent:
    """Stands for no value, where None stands for null."""


class Matcher:
    """Stands for more than one value."""

    def __init__(self, kind, is_right, parts=lambda actual, pointer: []):
        self.kind, self.is_right, self.parts = kind, is_right, parts

    def compare(self, actual, pointer):
        if not self.is_right(actual):
            return [f"{place(pointer)}: expected {self.kind}, found {show(actual)}"]
        return self.parts(actual, pointer)


def anything():
    return Matcher("any value", lambda actual: True)


def any_string():
    return Matcher("any string", lambda actual: isinstance(actual, str))


def any_number():
    return Matcher("any number", is_number)


def any_integer():
    return Matcher("any integer", lambda actual: is_number(actual) and actual == int(actual))


def any_boolean():
    return Matcher("any boolean", lambda actual: isinstance(actual, bool))


def any_list():
    return Matcher("any list", lambda actual: isinstance(actual, list))


def any_object():
    return Matcher("any object", lambda actual: isinstance(actual, dict))


def non_null():
    return Matcher("any non-null value", lambda actual: actual is not None)


def list_starting_with(length, first):
    """A list of so many elements, the first of which are given."""

    def parts(actual, pointer):
        return compare_length(length, actual, pointer) + compare_elements(first, actual, pointer)

    return Matcher("any list", lambda actual: isinstance(actual, list), parts)


def nullable(expected):
    """Null, or this."""
    return Matcher(
        "any value",
        lambda actual: True,
        lambda actual, pointer: [] if actual is None else compare(expected, actual, pointer),
    )


def each(element):
    """A list whose elements are all like this one."""
    return Matcher(
        "any list",
        lambda actual: isinstance(actual, list),
        lambda actual, pointer: compare_elements([element] * len(actual), actual, pointer),
    )


def one_of(texts):
    return Matcher(" or ".join(map(show, texts)), lambda actual: actual in texts)


def including(fields):
    """An object with these keys, and perhaps others."""
    return Matcher(
        "any object",
        lambda actual: isinstance(actual, dict),
        lambda actual, pointer: compare_fields(fields, actual, pointer),
    )


def by_type(key, types):
    """An object that names its type under the key and looks as said of that type."""
    return Matcher(
        "a type of the schema",
        lambda actual: isinstance(actual, dict) and actual.get(key) in types,
        lambda actual, pointer: compare(types[actual[key]], actual, pointer),
    )


def compare(expected, actual, pointer):
    """How a value differs from what is expected, a line per place."""
    if isinstance(expected, Matcher):
        return expected.compare(actual, pointer)
    if isinstance(expected, dict) and isinstance(actual, dict):
        unexpected = [
            f"{child(pointer, key)}: not expected, found {show(actual[key])}"
            for key in actual
            if key not in expected
        ]
        return compare_fields(expected, actual, pointer) + unexpected
    if isinstance(expected, list) and isinstance(actual, list):
        return compare_length(len(expected), actual, pointer) + compare_elements(
            expected, actual, pointer
        )
    if type(expected) is type(actual) and expected == actual:
        return []
    return [f"{place(pointer)}: expected {show(expected)}, found {show(actual)}"]


def compare_fields(expected, actual, pointer):
    differences = []
    for key, value in expected.items():
        if key in actual:
            differences += compare(value, actual[key], child(pointer, key))
        else:
            differences.append(f"{child(pointer, key)}: missing")
    return differences


def compare_length(length, actual, pointer):
    if len(actual) == length:
        return []
    return [f"{place(pointer)}: expected {length} elements, found {len(actual)}"]


def compare_elements(expected, actual, pointer):
    differences = []
    for index, (value, other) in enumerate(zip(expected, actual)):
        differences += compare(value, other, child(pointer, str(index)))
    return differences


def includes(actual, wanted):
    """Whether the value has everything that is wanted; an object may have more keys."""
    if isinstance(actual, dict) and isinstance(wanted, dict):
        return all(key in actual and includes(actual[key], wanted[key]) for key in wanted)
    return compare(wanted, actual, "") == []


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def find(value, pointer):
    for step in pointer.split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list) and step.isdigit() and int(step) < len(value):
            value = value[int(step)]
        elif isinstance(value, dict) and step in value:
            value = value[step]
        else:
            return Absent
    return value


def child(pointer, key):
    return pointer + "/" + key.replace("~", "~0").replace("/", "~1")


def place(pointer):
    return pointer or "body"


def show(value):
    return json.dumps(value, default=lambda matcher: f"<{matcher.kind}>", ensure_ascii=False)


def shortened(text):
    return text if len(text) <= SHOWN else f"{text[:SHOWN]} ... ({len(text)} characters)"


def text_file(path):
    """The content of a file beside the tests."""
    return (pathlib.Path(__file__).parent / path).read_text(encoding="utf-8")


def json_file(path):
    """A JSON value from a file beside the tests."""
    return json.loads(text_file(path))


def sent_json(value):
    """A value as JSON in the bytes in which it was sent: services tell columns of it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def json_text(value):
    """A value as JSON, which is also how GraphQL writes numbers, texts and booleans."""
    return json.dumps(value, ensure_ascii=False)


def plain_text(value):
    """A value as plain text: strings without quotes."""
    return value if isinstance(value, str) else json_text(value)


def path_segment(value):
    """A value as one segment of a path, percent-encoded."""
    return urllib.parse.quote(plain_text(value), safe="-._~")


def environment(name):
    """A value that is not written down in the tests, such as a token."""
    if name not in os.environ:
        raise AssertionError(f"the environment variable {name} is not set; these tests need it")
    return os.environ[name]


def without_indentation(text):
    """The text without the line break at its start, the common indentation of its lines, and
    the line that closes it; unchanged if it does not start with a line break."""
    if not text.startswith("\n"):
        return text
    lines = text[1:].split("\n")
    if not lines[-1].strip():
        lines.pop()
    indentation = min((len(it) - len(it.lstrip(" ")) for it in lines if it.strip()), default=0)
    return "\n".join(line[indentation:] for line in lines)
