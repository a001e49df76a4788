"""What a text must look like to be read as a value of some type, as regular expressions.

Dates that do not exist in every month are left out: a text of the layout must be one that can be
read.
"""

from __future__ import annotations

import re

DATE = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])"
TIME = "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"
DATE_TIME = f"{DATE}T{TIME}"
UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
IPV4 = r"(1?[0-9]?[0-9]\.){3}1?[0-9]?[0-9]"
BASE64 = "([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?"

_DIRECTIVES = {
    "Y": "[0-9]{4}",
    "y": "[0-9]{2}",
    "m": "(0[1-9]|1[0-2])",
    "d": "(0[1-9]|1[0-9]|2[0-8])",
    "j": "(00[1-9]|0[1-9][0-9]|[12][0-9]{2})",
    "b": "(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)",
    "B": "(January|February|March|April|June|July|August|September|October|November|December)",
    "a": "(Mon|Tue|Wed|Thu|Fri|Sat|Sun)",
    "A": "(Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)",
    "H": "([01][0-9]|2[0-3])",
    "I": "(0[1-9]|1[0-2])",
    "M": "[0-5][0-9]",
    "S": "[0-5][0-9]",
    "f": "[0-9]{1,6}",
    "p": "(AM|PM)",
    "z": "[+-][01][0-9][0-5][0-9]",
    "%": "%",
}


def of_format(pattern: str) -> str | None:
    """The layout that a format of `strptime` describes; nothing when it holds something unknown."""
    written = []
    characters = iter(pattern)
    for character in characters:
        if character != "%":
            written.append(re.escape(character))
            continue
        directive = _DIRECTIVES.get(next(characters, ""))
        if directive is None:
            return None
        written.append(directive)
    return "".join(written)
