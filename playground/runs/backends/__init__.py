"""Backends: runs train in processes on this machine or on the nodes of a Ray cluster."""

from playground.host import Host
from playground.runs.backends.backend import Backend, Connection, Needs, Worker
from playground.runs.backends.cluster import Cluster
from playground.runs.backends.processes import LOCAL

__all__ = ["LOCAL", "Backend", "Cluster", "Connection", "Needs", "Worker", "backend_of"]


def backend_of(host: Host) -> Backend:
    """The backend that a host's settings name."""
    return Cluster(host.ray_address) if host.backend == "ray" else LOCAL
