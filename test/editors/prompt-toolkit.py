# A line editor under test: prompt_toolkit with several lines, each submission appended to the file in FAKE_LOG as JSON.
import json
import os

from prompt_toolkit import PromptSession
from prompt_toolkit.key_binding import KeyBindings

keys = KeyBindings()


@keys.add("enter")
def _(event):
    event.current_buffer.validate_and_handle()


@keys.add("c-j")
def _(event):
    event.current_buffer.insert_text("\n")


session = PromptSession("toolkit> ", multiline=True, key_bindings=keys)
while True:
    try:
        text = session.prompt()
    except (EOFError, KeyboardInterrupt):
        break
    with open(os.environ["FAKE_LOG"], "a", encoding="utf-8") as log:
        log.write(json.dumps(text) + "\n")
