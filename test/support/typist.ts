// A person who never stops typing, and what their keys alone would have made of an input box.
import type { Person } from '../../src/cli/demo/person.js';

type Key = { send: string; act(box: TypistModel): void };

// What the box must hold, and what the person submitted, if nobody else had touched anything.
export class TypistModel {
  text: string[] = [];
  caret = 0;
  readonly prompts: string[] = [];

  insert(char: string): void {
    this.text.splice(this.caret++, 0, char);
  }

  move(by: number): void {
    this.caret = Math.min(this.text.length, Math.max(0, this.caret + by));
  }

  get draft(): { text: string; caret: number } {
    return { text: this.text.join(''), caret: this.text.slice(0, this.caret).join('').length };
  }
}

const CHARACTERS = [...'abcdefghijklmnopqrstuvwxyz     .,;:-éß中字🙂'];

const letter = (char: string): Key => ({ send: char, act: (box) => box.insert(char) });
const KEYS = {
  backspace: {
    send: '\x7f',
    act: (box: TypistModel) => {
      if (box.caret > 0) box.text.splice(--box.caret, 1);
    },
  },
  left: { send: '\x1b[D', act: (box: TypistModel) => box.move(-1) },
  right: {
    send: '\x1b[C',
    act: (box: TypistModel) => box.move(1),
  },
  newline: letter('\n'),
  enter: {
    send: '\r',
    act: (box: TypistModel) => {
      if (box.text.length === 0) return;
      box.prompts.push(box.text.join(''));
      box.text = [];
      box.caret = 0;
    },
  },
} satisfies Record<string, Key>;

export interface TypistOptions {
  random: () => number;
  // Between two keys, from the shortest to the longest time.
  ms?: readonly [number, number];
}

export class Typist {
  readonly model = new TypistModel();
  readonly sent: string[] = [];
  #going = true;

  constructor(
    readonly person: Person,
    readonly options: TypistOptions,
  ) {}

  // Types until told to stop.
  async run(): Promise<void> {
    const { random, ms: [least, most] = [20, 120] } = this.options;
    while (this.#going) {
      this.press(this.#choose());
      const thinks = random() < 0.02 ? 400 : 0;
      await new Promise((resolve) => setTimeout(resolve, thinks + least + random() * (most - least)));
    }
  }

  stop(): void {
    this.#going = false;
  }

  press(key: Key): void {
    this.sent.push(key.send);
    key.act(this.model);
    this.person.send(key.send);
  }

  #choose(): Key {
    const { random } = this.options;
    const dice = random();
    const long = this.model.text.length > 60;
    if (dice < 0.08 || (long && dice < 0.4)) return KEYS.backspace;
    if (dice < 0.42 && long) return random() < 0.1 ? KEYS.enter : KEYS.left;
    if (dice < 0.14) return KEYS.left;
    if (dice < 0.18) return KEYS.right;
    if (dice < 0.19) return KEYS.newline;
    if (dice < 0.195) return KEYS.enter;
    return letter(CHARACTERS[Math.floor(random() * CHARACTERS.length)] as string);
  }
}
