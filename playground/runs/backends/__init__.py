"""Backends: runs train in processes on this machine or on the nodes of a Ray cluster."""

from playground.runs.backends.backend import Backend, Needs
from playground.runs.backends.cluster import Cluster
from playground.runs.backends.local import LOCAL, SHARED
from playground.settings.host import Host

__all__ = ["LOCAL", "SHARED", "Backend", "Cluster", "Needs", "backend_of"]


def backend_of(host: Host) -> Backend:
    """The backend that a host's settings name."""
    return Cluster(host.ray_address) if host.backend == "ray" else SHARED if host.shared else LOCAL
