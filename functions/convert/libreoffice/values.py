"""Values of UNO, and names for sentences."""

import uno
from com.sun.star.beans import PropertyValue

# Most names in a sentence.
MOST_NAMED = 8


def properties(values):
    return tuple(PropertyValue(name, 0, prepared(value), 0) for name, value in values.items())


def prepared(value):
    if isinstance(value, dict):
        return uno.Any("[]com.sun.star.beans.PropertyValue", properties(value))
    return value


def listed(names, what="cells"):
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (" and %d more %s" % (more, what) if more > 0 else "")
