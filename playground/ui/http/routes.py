"""All routes besides pages."""

from starlette.routing import BaseRoute

from playground.ui.checkpoints import exports, upload
from playground.ui.http import attention_route, cell_route, channels, checkpoint_route, curves_route, qr_route
from playground.ui.parts.charts import vega
from playground.ui.server import assets

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
