"""The theme is read once, and not in each run of each script.

Streamlit announces every run to the browser, together with the theme. It reads all options of the six sections of the
theme each time: a tenth of the server's time when many people click.
"""

from streamlit import config
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session

_read = app_session._populate_theme_msg
_known: dict[str, CustomThemeConfig] = {}  # by section


def apply() -> None:
    """Replaces how a section of the theme is put into a message."""
    app_session._populate_theme_msg = _put  # type: ignore[assignment]
    config.on_config_parsed(_known.clear, force_connect=True)


def _put(message: CustomThemeConfig, section: str = "theme") -> None:
    if section not in _known:
        _known[section] = CustomThemeConfig()
        _read(_known[section], section)
    if _known[section].ByteSize():  # to merge nothing would say that there is a section
        message.MergeFrom(_known[section])
