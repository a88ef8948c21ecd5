"""`python -m tests.hub --port N`: a small Hub to try things by hand; prints its address and two tokens."""

import argparse
import time
from pathlib import Path

from tests.hub.samples import fill
from tests.hub.scenarios import SCENARIOS
from tests.hub.server import running_hub


def main() -> None:
    """Serves until it is interrupted."""
    parser = argparse.ArgumentParser(prog="python -m tests.hub", description="A small Hub on loopback.")
    parser.add_argument("--port", type=int, default=0, help="0 takes any free one")
    parser.add_argument("--filled", action="store_true", help="with sample repositories, hostile ones among them")
    parser.add_argument("--app", metavar="URL", help="an app at this address that people can sign in to")
    description = "; ".join(f"{name}: {scenario.description}" for name, scenario in SCENARIOS.items())
    parser.add_argument("--fault", choices=SCENARIOS, action="append", default=[], help=description)
    options = parser.parse_args()
    with running_hub(options.port) as hub:
        if options.filled:
            fill(hub, Path(__file__).parent.parent.parent / "checkpoints")
        for name in options.fault:
            SCENARIOS[name].order(hub)
        print(f"HF_ENDPOINT={hub.url}")
        if options.app:
            app = hub.add_app(f"{options.app}/oauth2callback")
            print(f"OPENID_PROVIDER_URL={hub.url}\nOAUTH_CLIENT_ID={app.id}\nOAUTH_CLIENT_SECRET={app.secret}")
        for name in ("alice", "bob"):
            print(f"token of {name}: {hub.token(name)}", flush=True)
        try:
            while True:
                time.sleep(3600)
        except KeyboardInterrupt:
            pass


if __name__ == "__main__":
    main()
