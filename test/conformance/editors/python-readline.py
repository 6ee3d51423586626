"""Python readline: each line that is submitted, as a JSON string, appended to $SM_LINES."""
import json
import os
import readline  # noqa: F401  (makes input() editable)

while True:
    try:
        line = input("py> ")
    except EOFError:
        break
    with open(os.environ["SM_LINES"], "a") as log:
        log.write(json.dumps(line) + "\n")
