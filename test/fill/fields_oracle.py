"""The names that templates take from their data, as Jinja2's own `meta` finds them: one JSON line for each path of standard input."""

import json
import sys

import docxtpl
import jinja2
import jinja2.meta


class Named(dict):
    """Filters and tests of frameworks: which ones there are is no question of data."""

    def get(self, name, default=None):
        return super().get(name, str)

    def __contains__(self, name):
        return True

    def __missing__(self, name):
        return str


def own(template):
    """Names that a template imports, defines or sets itself: for `meta` they are data where a block, or a branch, sees them."""
    found = set()
    for node in template.find_all((jinja2.nodes.Import, jinja2.nodes.FromImport, jinja2.nodes.Macro)):
        if isinstance(node, jinja2.nodes.FromImport):
            found |= {name if isinstance(name, str) else name[1] for name in node.names}
        else:
            found.add(node.target if isinstance(node, jinja2.nodes.Import) else node.name)
    return found | {node.name for node in template.find_all(jinja2.nodes.Name) if node.ctx == "store"}


def names(path):
    environment = jinja2.Environment(extensions=["jinja2.ext.i18n", "jinja2.ext.do", "jinja2.ext.loopcontrols"])
    environment.filters = Named(environment.filters)
    environment.tests = Named(environment.tests)
    if path.endswith(".docx"):
        return docxtpl.DocxTemplate(path).get_undeclared_template_variables(environment), set()
    else:
        with open(path, encoding="utf-8") as file:
            template = environment.parse(file.read())
        return jinja2.meta.find_undeclared_variables(template), own(template)


for line in sys.stdin:
    try:
        found, set_there = names(line.rstrip("\n"))
        answer = {"names": sorted(found), "own": sorted(set_there)}
    except Exception as error:
        answer = {"fault": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer))
