"""One measurement in its own process: ``python -m bench.child module:function '{...}'``."""

from __future__ import annotations

import importlib
import json
import sys


def main() -> None:
    module, _, function = sys.argv[1].partition(":")
    result = getattr(importlib.import_module(module), function)(**json.loads(sys.argv[2]))
    print(json.dumps(result))


if __name__ == "__main__":
    main()
