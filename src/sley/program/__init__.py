"""The pivot representation: concurrent control-flow programs.

``instructions`` is the closed set, ``program`` has functions and edges, ``memory`` objects, layouts and
pointers. ``parser`` and ``printer`` have the textual form.
"""
