"""When the server looks for unreachable objects among those that it has frozen."""

import subprocess
import sys

# In a process of its own: what is frozen here would stay frozen for the other tests.
STORY = """
import gc, weakref
from playground.ui.http import startup

class Node:
    pass

def garbage(count):
    for _ in range(count):
        node = Node()
        node.itself = node
    return weakref.ref(node)

gc.disable()
living = startup.collect_all()
few = garbage(10)
gc.freeze()
assert startup.collect_if_grown(living) == living
assert few() is not None, "no growth, no search"
many = garbage(int(living * (startup.MAX_GROWTH - 1)))
gc.freeze()
after = startup.collect_if_grown(living)
assert few() is None and many() is None
assert after < living * startup.MAX_GROWTH
assert startup.collect_if_grown(2 * after) == gc.get_freeze_count(), "fewer are the new fewest"
print("done")
"""


def test_garbage_is_collected_once_objects_have_grown_and_not_before():
    done = subprocess.run([sys.executable, "-c", STORY], capture_output=True, text=True, check=False)
    assert done.stdout.endswith("done\n"), done.stderr[-2000:]
