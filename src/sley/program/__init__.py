"""The pivot representation: concurrent control-flow programs.

``instructions`` is the closed set, ``program`` has functions and edges, ``memory`` objects, layouts and
pointers. ``printer`` has the textual form, which `sley show cfg` shows.
"""
