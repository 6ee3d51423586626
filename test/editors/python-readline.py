# A line editor under test: python's readline, each submitted line appended to the file in FAKE_LOG.
import os
import readline  # noqa: F401  (input() uses it once it is loaded)

while True:
    try:
        line = input("python> ")
    except (EOFError, KeyboardInterrupt):
        break
    with open(os.environ["FAKE_LOG"], "a", encoding="utf-8") as log:
        log.write(line + "\n")
