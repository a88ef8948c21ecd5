"""All routes besides pages."""

from starlette.routing import BaseRoute

from playground.ui import channels
from playground.ui.checkpoints import checkpoint_route, exports, upload
from playground.ui.parts.charts import attention_route, curves_route, vega
from playground.ui.parts.runs import qr_route
from playground.ui.server import assets
from playground.ui.step import cell_route

ROUTES: list[BaseRoute] = [
    *assets.routes(),  # scripts and styles
    *channels.STREAM.routes(),  # the event stream
    *cell_route.routes(),
    *curves_route.routes(),
    *attention_route.routes(),
    *checkpoint_route.routes(),
    *upload.routes(),
    *exports.routes(),
    *qr_route.routes(),
    *vega.routes(),
]
