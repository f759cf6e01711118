"""Renders cases with Python's Jinja2: a JSON array of cases on stdin, a JSON array of results on stdout."""
import datetime
import email.utils
import json
import re
import sys
import traceback

from jinja2 import ChainableUndefined, DebugUndefined, DictLoader, StrictUndefined, Undefined
from jinja2.exceptions import TemplateError, TemplateSyntaxError
from jinja2.sandbox import SandboxedEnvironment

UNDEFINED = {
    "default": Undefined,
    "chainable": ChainableUndefined,
    "debug": DebugUndefined,
    "strict": StrictUndefined,
}
SYNTAX = {
    "blockStart": "block_start_string",
    "blockEnd": "block_end_string",
    "variableStart": "variable_start_string",
    "variableEnd": "variable_end_string",
    "commentStart": "comment_start_string",
    "commentEnd": "comment_end_string",
    "lineStatementPrefix": "line_statement_prefix",
    "lineCommentPrefix": "line_comment_prefix",
    "trimBlocks": "trim_blocks",
    "lstripBlocks": "lstrip_blocks",
    "newlineSequence": "newline_sequence",
    "keepTrailingNewline": "keep_trailing_newline",
}


# What CPython prints of an object's address is different every time.
ADDRESS = re.compile(r" at 0x[0-9a-f]+", re.IGNORECASE)


def now():
    """Stands for the global that only our interpreter has, so that both list the same globals."""
    return datetime.datetime.now(datetime.timezone.utc)


def revive(value):
    """Dates stand in a context as {"$datetime": "ISO 8601"}."""
    if isinstance(value, list):
        return [revive(item) for item in value]
    if isinstance(value, dict):
        if set(value) == {"$datetime"}:
            return datetime.datetime.fromisoformat(value["$datetime"])
        return {key: revive(item) for key, item in value.items()}
    return value


def flask_default(value):
    """What Flask's DefaultJSONProvider makes of values that JSON does not know."""
    if isinstance(value, datetime.date):
        if not isinstance(value, datetime.datetime):
            value = datetime.datetime.combine(value, datetime.time(), tzinfo=datetime.timezone.utc)
        return email.utils.format_datetime(value, usegmt=True)
    if hasattr(value, "__html__"):
        return str(value.__html__())
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


def flask_dumps(value, **kwargs):
    return json.dumps(value, **{"default": flask_default, "ensure_ascii": True, "sort_keys": True, **kwargs})


def environment(case):
    options = case.get("options") or {}
    flask = options.get("dialect") == "flask"
    env = SandboxedEnvironment(
        loader=DictLoader({"main": case["template"], **(case.get("templates") or {})}),
        extensions=["jinja2.ext.do", "jinja2.ext.loopcontrols", "jinja2.ext.debug"],
        autoescape=options.get("autoescape", flask),
        undefined=UNDEFINED[options.get("undefined", "default")],
        **{SYNTAX[key]: value for key, value in (options.get("syntax") or {}).items()},
    )
    env.globals["now"] = now
    if flask:
        env.policies["json.dumps_function"] = flask_dumps
    i18n = options.get("i18n")
    if i18n is not None:
        env.add_extension("jinja2.ext.i18n")
        env.install_null_translations(newstyle=i18n.get("newstyle", False))
        env.policies["ext.i18n.trimmed"] = i18n.get("trimmed", False)
    return env


def line_of(error):
    if isinstance(error, TemplateSyntaxError):
        return error.lineno
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == "<template>"]
    return lines[-1] if lines else None


def render(case):
    try:
        context = revive(json.loads(case.get("context") or "{}"))
        template = environment(case).get_template("main")
        return {"output": ADDRESS.sub("", template.render(context))}
    except TemplateError as error:
        return {"kind": type(error).__name__, "message": error.message or "", "line": line_of(error)}
    except Exception as error:
        return {"kind": type(error).__name__, "message": str(error), "line": line_of(error)}


def main():
    sys.setrecursionlimit(3000)
    results = [render(case) for case in json.load(sys.stdin)]
    # Surrogates that Python leaves in strings have no UTF-8; ASCII escapes carry them over.
    json.dump(results, sys.stdout, ensure_ascii=True)


main()
