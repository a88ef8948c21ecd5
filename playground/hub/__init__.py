"""Models on the Hugging Face Hub: look, pull, push, list.

Every call takes the visitor's token explicitly, or False for none; nothing of the host's own account is ever used.
"""

import os

_ENVIRONMENT = {
    "HF_HUB_DISABLE_XET": "1",  # for files of this size it gains nothing, and it waits for minutes when it fails
    "HF_HUB_DISABLE_IMPLICIT_TOKEN": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "HF_HUB_VERBOSITY": "error",  # its warnings hold addresses of private repositories
}
for _name, _value in _ENVIRONMENT.items():  # read when the Hub's client is imported, which every module here does
    os.environ.setdefault(_name, _value)
