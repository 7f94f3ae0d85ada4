"""A simulated gateway with a catalogue of faults, faithful to the real wire format (R38).

`scenario.py` is the gateway as data, `gateway.py` turns a request and a moment into the steps of a
response, purely; `server.py` performs them over HTTP, `simulator.py` starts and stops it.
"""
