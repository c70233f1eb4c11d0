"""Starting a thread while a timer may raise in this one."""

import signal
import threading


def start(thread: threading.Thread) -> None:
    """Start a thread, without an exception of a timer's signal in the midst of that.

    ``Thread.start`` waits for the new thread, and does not survive an exception meanwhile. The new thread
    keeps the signal blocked: signals are the business of the main thread.
    """
    former = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
    try:
        thread.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, former)
