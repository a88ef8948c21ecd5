"""`python -m tests.load SCENARIO`: start the app, simulate visitors, print measured values beside goals.

A benchmark, not a test: the exit code is 0 even if the app was slow, and 1 only after errors.
"""

import argparse
import asyncio
import dataclasses
import sys
import time

from tests.load.app import application, busy
from tests.load.cluster import cluster
from tests.load.flood import flood
from tests.load.hub import hub
from tests.load.isolation import KINDS, isolation
from tests.load.room import room
from tests.load.scenarios import SCENARIOS, Options
from tests.load.speed import speed

ALL = SCENARIOS | {"isolation": isolation, "speed": speed, "hub": hub, "flood": flood, "cluster": cluster, "room": room}
DESCRIPTIONS = {name: (scenario.__doc__ or "").splitlines()[0] for name, scenario in ALL.items()}


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.load", description="Lets people at the app; figures beside goals."
    )
    parser.add_argument(
        "scenario", choices=ALL, help=" ".join(f"{name}: {description}" for name, description in DESCRIPTIONS.items())
    )
    usual = Options()
    for field in dataclasses.fields(Options):
        value = getattr(usual, field.name)
        if field.name == "marks":
            parser.add_argument("--marks", nargs="+", choices=KINDS, default=())
        else:
            kind = int if value is None else type(value)
            parser.add_argument(f"--{field.name}", type=kind, default=value, help=f"usually {value}" if value else None)
    parser.add_argument("--variable", action="append", default=[], metavar="NAME=VALUE", help="for the server")
    parser.add_argument("--port", type=int, help="usually any free one")
    given = vars(parser.parse_args())
    scenario, port = given.pop("scenario"), given.pop("port")
    variables = dict(each.partition("=")[::2] for each in given.pop("variable"))
    given["marks"] = tuple(given["marks"])
    print(f"{scenario}: {DESCRIPTIONS[scenario]} ({busy()})", flush=True)
    began = time.perf_counter()
    with application(variables, port) as app:
        report = asyncio.run(ALL[scenario](app, Options(**given)))
        if "Traceback" in app.log:
            report.errors.append("The server's log has a traceback: " + app.log[app.log.index("Traceback") :][:2000])
    print(report.text())
    print(f"Took {time.perf_counter() - began:.0f} s; in the end: {busy()}.")
    return 1 if report.errors else 0


if __name__ == "__main__":
    sys.exit(main())
