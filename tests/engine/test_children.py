import multiprocessing
import os
import signal
import subprocess
import sys

from serinus.engine.children import deaf_to_interrupts

HOLDER = """
import multiprocessing, os, sys, time
from concurrent.futures import ProcessPoolExecutor
from serinus.engine.children import end_with_parent
if __name__ == "__main__":
    pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), initializer=end_with_parent)
    print(pool.submit(os.getpid).result(), flush=True)
    time.sleep(600)
"""


def test_ctrl_c_reaches_no_child_not_even_one_that_is_being_born():
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    child = context.Process(target=theirs.send, args=("still here",))
    with deaf_to_interrupts():
        child.start()
    theirs.close()
    os.kill(child.pid or 0, signal.SIGINT)
    assert ours.recv() == "still here"
    child.join()


def test_a_worker_ends_with_a_parent_that_is_killed():
    with subprocess.Popen([sys.executable, "-c", HOLDER], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        assert int(parent.stdout.readline()) > 0
        parent.kill()
        assert parent.stdout.read() == b""  # it ends only when the worker, who holds it too, is gone
