"""A Ray cluster as an executor of functions; nothing else here knows Ray, and it is imported when asked for.

Nodes need the same sley, no files: what a function works on is sent to it. Ray calls a function again whose
worker or node was lost, so functions must not care how often they are called.
"""

import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from functools import partial
from typing import Any, ParamSpec, TypeVar

from sley import __version__
from sley.base.errors import InputError
from sley.base.processes import Failed, Finished

LOCAL = "local"
"""The address of a cluster that is started on this machine, and ends with the run."""

AUTO = "auto"
"""The address of the cluster that runs on this machine already."""

RETRIES = 3
"""How often a function is called again after its worker was lost."""

_OBJECT_STORE = 100 * 2**20
"""Bytes that a local cluster keeps for what is sent; more goes to files."""

P = ParamSpec("P")
R = TypeVar("R")


class LostError(Exception):
    """Workers were lost again and again."""


class Cluster(Executor):
    """The nodes of a cluster; used in a ``with`` statement, which cancels what is still under way."""

    def __init__(self, address: str) -> None:
        ray = _ray()
        before = signal.getsignal(signal.SIGTERM)
        try:
            ray.init(**_settings(address))
        except (ConnectionError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
            raise InputError(_unreachable(address, error)) from None
        finally:
            if threading.current_thread() is threading.main_thread():
                signal.signal(signal.SIGTERM, before)  # Ray has replaced it
        self._ray = ray
        self._call = ray.remote(max_retries=RETRIES)(_called)
        self._references: dict[Future[Any], Any] = {}
        self.address: str = ray.get_runtime_context().gcs_address
        self.cores = max(1, int(ray.cluster_resources().get("CPU", 1)))
        """How many functions can compute at once."""

    def submit(self, function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Call a function on some node that has a core for it."""
        return self.share(1.0, function, *args, **kwargs)

    def share(
        self, cores: float, function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[R]:
        """The same for a function that needs only so much of a core, or several of them."""
        future: Future[R] = Future()
        called = self._call.options(num_cpus=cores).remote(__version__, function, args, kwargs)
        self._references[future] = called
        called.future().add_done_callback(partial(self._settle, future))
        return future

    def _settle(self, future: Future[Any], told: Future[Any]) -> None:
        try:
            ending = told.result()
        except self._ray.exceptions.RayTaskError as error:  # not in the function: it was never called
            future.set_exception(InputError(f"a node of the cluster cannot call sley: {_last_line(error)}"))
        except self._ray.exceptions.RayError as error:
            future.set_exception(LostError(_last_line(error)))
        else:
            if isinstance(ending, Failed):
                ending.error.__cause__ = ending.cause
                future.set_exception(ending.error)
            else:
                future.set_result(ending.value)
        finally:
            self._references.pop(future, None)

    def cancel(self, future: Future[Any]) -> None:
        """End the call, with all processes that it has started."""
        called = self._references.get(future)
        if called is not None:
            self._ray.cancel(called, force=True)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:  # noqa: FBT001, FBT002
        """End all that is under way, and leave the cluster; one that was started here ends, too."""
        for future in tuple(self._references) if cancel_futures else ():
            self.cancel(future)
        self._ray.shutdown()


def _ray() -> Any:
    try:
        import ray  # noqa: PLC0415 - it may not be installed
    except ImportError:
        raise InputError("Ray is not installed: pip install 'sley[ray]'") from None
    return ray


def _settings(address: str) -> dict[str, Any]:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # what users verify stays here
    quiet = {"address": address, "log_to_driver": False, "logging_level": "ERROR", "configure_logging": False}
    if address != LOCAL:
        return quiet
    return {**quiet, "include_dashboard": False, "object_store_memory": _OBJECT_STORE}


def _unreachable(address: str, error: Exception) -> str:
    if address == AUTO:
        return "no Ray cluster runs here: `ray start --head`, or --ray-address with its address or `local`"
    return f"no Ray cluster can be reached at `{address}`: {_last_line(error)}"


def _last_line(error: Exception) -> str:
    return str(error).strip().rsplit("\n", 1)[-1]


def _called(version: str, function: Callable[..., object], args: Any, kwargs: Any) -> Finished | Failed:
    """What a node does."""
    try:
        if version != __version__:
            raise InputError(f"a node of the cluster has sley {__version__}, not {version}")
        return Finished(function(*args, **kwargs))
    except Exception as error:  # noqa: BLE001 - the caller decides what to make of it
        return Failed.of(error)
