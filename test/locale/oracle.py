"""Reads calls of Babel's functions as JSON, and writes what they give: [name, value, arguments, locale] each."""

import datetime
import json
import sys
import warnings
import zoneinfo

from babel import dates, lists, numbers

warnings.simplefilter("ignore")


def revive(value):
    if isinstance(value, dict):
        [(kind, text)] = value.items()
        if kind == "$datetime":
            return datetime.datetime.fromisoformat(text)
        if kind == "$date":
            return datetime.date.fromisoformat(text)
        if kind == "$time":
            return datetime.time.fromisoformat(text)
        if kind == "$timedelta":
            return datetime.timedelta(seconds=text)
        raise ValueError(kind)
    return value


def call(name, value, arguments, locale):
    module = dates if hasattr(dates, name) else lists if name == "format_list" else numbers
    given = dict(arguments)
    if given.get("tzinfo"):
        given["tzinfo"] = zoneinfo.ZoneInfo(given["tzinfo"])
    try:
        return getattr(module, name)(revive(value), locale=locale, **given)
    except Exception as error:  # noqa: BLE001
        return {"error": f"{type(error).__name__}: {error}"}


print(json.dumps([call(*one) for one in json.load(sys.stdin)]))
