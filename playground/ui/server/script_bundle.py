"""Scripts and style sheets of all rooms as one script.

A page then makes one request for them, not about thirty, and its first text comes 5 to 15 % earlier. Bundlers are
programs for Node.js, which an app that is installed with pip doesn't have. The scripts are this project's own and keep
to the few forms of `import` and `export` that are read here; anything else is refused.
"""

import json
import re
from collections.abc import Mapping
from functools import partial
from posixpath import dirname, join, normpath

_IMPORT = re.compile(r'^import (?:\{([^}]*)\} from )?"([^"]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (default )?((?:async )?(?:function|class|const)) (\w*)", re.MULTILINE)
_LEFT = re.compile(r"^(?:import|export)\b.*|\bimport\.meta\b.*", re.MULTILINE)
_UNNAMED = "component"  # what a default export without a name is called
_BEGIN = """
const modules = {};
// The script runs when it is first imported.
const define = (name, run) => Object.defineProperty(modules, name, {
  configurable: true,
  get() {
    const value = run();
    Object.defineProperty(modules, name, { value });
    return value;
  },
});
"""


def bundle(scripts: Mapping[str, str], styles: Mapping[str, str], first: str) -> str:
    """A module whose default export has the exports of each script by its path; it runs the script `first`.

    Each script runs in a function. There, `STYLES` has the text of each style sheet by its path. Raises ValueError for
    other forms of `import` and `export`.
    """
    parts = [f"const STYLES = {json.dumps(styles)};", _BEGIN]
    for name, text in scripts.items():
        exported = [(default, own or _UNNAMED) for default, _, own in _EXPORT.findall(text)]
        exports = ", ".join(f"default: {own}" if default else own for default, own in exported)
        body = _EXPORT.sub(lambda match: f"{match[2]} {match[3] or _UNNAMED}", text)
        body = _IMPORT.sub(partial(_assignment, name), body)
        if left := _LEFT.search(body):
            raise ValueError(f"{name} has a form of import or export that can't be bundled: {left[0]}")
        parts.append(f"define({json.dumps(name)}, () => {{\n{body}\nreturn {{ {exports} }};\n}});")
    return "\n".join([*parts, f"modules[{json.dumps(first)}];", "export default modules;", ""])


def _assignment(importer: str, match: re.Match[str]) -> str:
    """The statement for an import in the script `importer`."""
    module = f"modules[{json.dumps(normpath(join(dirname(importer), match[2])))}];"
    return f"const {{{match[1].replace(' as ', ': ')}}} = {module}" if match[1] else module
