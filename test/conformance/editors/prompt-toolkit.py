"""prompt_toolkit: each text that is submitted, as a JSON string, appended to $SM_LINES."""
import json
import os

from prompt_toolkit import PromptSession

session = PromptSession("ptk> ")
while True:
    try:
        text = session.prompt()
    except EOFError:
        break
    except KeyboardInterrupt:
        continue
    with open(os.environ["SM_LINES"], "a") as log:
        log.write(json.dumps(text) + "\n")
