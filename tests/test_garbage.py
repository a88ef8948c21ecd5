"""When the server looks for unreachable objects among those that it has frozen."""

import subprocess
import sys

# In a process of its own: what is frozen here would stay frozen for the other tests.
STORY = """
import gc, sys, weakref
from playground.ui import startup

class Node:
    pass

def garbage(count):
    for _ in range(count):
        node = Node()
        node.itself = node
    return weakref.ref(node)

gc.disable()
least = startup.collect_all()
few = garbage(10)
gc.freeze()
assert startup.collect_if_grown(least) == least
assert few() is not None, "no growth, no search"
many = garbage(int(least * (startup.MAX_GROWTH - 1)))
gc.freeze()
after = startup.collect_if_grown(least)
assert few() is None and many() is None
assert after < least * startup.MAX_GROWTH
assert after <= startup.collect_if_grown(2 * after) < 1.01 * after, "less is the new least"
print("done")
"""


def test_garbage_is_collected_once_objects_have_grown_and_not_before():
    done = subprocess.run([sys.executable, "-c", STORY], capture_output=True, text=True, check=False)
    assert done.stdout.endswith("done\n"), done.stderr[-2000:]
