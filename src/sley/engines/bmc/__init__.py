"""Engine ``bmc``: bounded model checking of events under one order (FUSION's two stages)."""
