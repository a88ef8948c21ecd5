"""The Python API: functions that join several rooms, for notebooks and scripts."""
