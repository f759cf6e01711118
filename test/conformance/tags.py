"""Prints the tags of PDFs in the order of reading: tags.py FILE..., for each a line of JSON."""

import json
import sys

import pikepdf


def kids_of(element):
    kids = element.get("/K")
    if kids is None:
        return []
    return list(kids) if isinstance(kids, pikepdf.Array) else [kids]


def is_element(value):
    return isinstance(value, pikepdf.Dictionary) and "/S" in value


def tags_of(path):
    with pikepdf.open(path) as pdf:
        root = pdf.Root.get("/StructTreeRoot")
        tags = []
        stack = [kid for kid in reversed(kids_of(root) if root is not None else []) if is_element(kid)]
        while stack:
            element = stack.pop()
            kids = kids_of(element)
            elements = [kid for kid in kids if is_element(kid)]
            tags.append(
                {
                    "type": str(element["/S"])[1:],
                    "alternate": "/Alt" in element or "/ActualText" in element,
                    "figures": any(kid["/S"] == "/Figure" for kid in elements),
                    "empty": len(kids) == 0,
                }
            )
            stack.extend(reversed(elements))
        return tags


for path in sys.argv[1:]:
    print(json.dumps(tags_of(path)))
