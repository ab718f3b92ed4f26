"""Runs calls one after another and prints a line for each, as JSON."""

import json
import sys
import traceback


def run(client, calls):
    for name, call in calls:
        try:
            call()
            print(json.dumps({"client": client, "call": name}), flush=True)
        except Exception as error:  # every failure of a client is one line of the report
            where = traceback.extract_tb(sys.exc_info()[2])[-1]
            why = f"{type(error).__name__}: {error} ({where.name}:{where.lineno})"
            print(json.dumps({"client": client, "call": name, "failed": why}), flush=True)


def equal(found, wanted):
    if found != wanted:
        raise AssertionError(f"{found!r} is not {wanted!r}")
