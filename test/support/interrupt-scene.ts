// An agent with a box, how that looks when empty, and the interrupt protocol on it with nothing but a journal in between.
import type { BoxProfile } from '../../src/composer/box-profile.js';
import { pinned } from '../../src/composer/index.js';
import { type InterruptProtocol, interruptProtocol } from '../../src/composer/interrupt.js';
import type { InterruptJournal } from '../../src/composer/interrupt-window.js';
import { type Look, takeLook } from '../../src/composer/look.js';
import type { Draft, Stroke, SwapStep, SwapTools } from '../../src/composer/protocol.js';
import type { Injection, PaneView } from '../../src/tmux/index.js';
import { type FakePane, fakePane } from './fake-pane.js';
import { type TestTmux, until } from './tmux.js';

export const WINDOW_MS = 2000;
export const MESSAGE = '[Input from: ada via sm send] #a1b2c3\nplease run the tests';

export const PROFILE: BoxProfile = {
  protocols: [{ protocol: 'interrupt' }],
  interrupt: { exitWindowMs: WINDOW_MS, exitsWhenEmpty: false },
  lineKeys: {
    start: { key: 'C-a', moves: 'line' },
    end: { key: 'C-e', moves: 'line' },
    killToEnd: { key: 'C-k', kills: 'line', joins: true },
    backspace: 'BSpace',
    echoMs: 50,
  },
  submitKey: 'Enter',
  enterGapMs: 0,
  keepsKeys: true,
  cursorAtCaret: true,
  cursorShownInBox: true,
  pace: { stepMs: 1, enterMs: 1 },
  refusalCeiling: 1,
};
// Of an agent whose editing keys are not known.
const { lineKeys: _lineKeys, ...withoutKeys } = PROFILE;
export const NO_KEYS: BoxProfile = withoutKeys;

class MemoryJournal implements InterruptJournal {
  readonly all: number[] = [];
  lastInterruptAt(): number | null {
    return this.all.at(-1) ?? null;
  }
  async willInterrupt(at: number): Promise<void> {
    this.all.push(at);
  }
}

interface Options {
  profile?: BoxProfile;
  journal?: InterruptJournal;
  quietSince?: () => number;
  clock?: () => number;
  // Runs in front of each stroke; one that answers takes the stroke's place.
  before?: (strokes: readonly Stroke[], seen: PaneView | undefined) => Promise<Injection | undefined>;
  // Without the guard on what was seen: as when a person's keys are on their way and not yet on the screen.
  blind?: boolean;
}

export class Scene {
  readonly saved: Draft[] = [];
  readonly steps: SwapStep[] = [];
  readonly journal = new MemoryJournal();

  constructor(
    readonly agent: FakePane,
    readonly look: Look,
  ) {}

  static async start(
    tmux: TestTmux,
    args: string[] = [],
    size: { width?: number; height?: number } = {},
  ): Promise<Scene> {
    const agent = await fakePane(tmux, 'box', ['--log-keys', ...args], size);
    await until(async () => (await agent.pane.view()).cursor.x === 2, 'the cursor in the box');
    return new Scene(agent, takeLook(await agent.pane.view()));
  }

  protocol(options: Options = {}): InterruptProtocol {
    const { pane } = this.agent;
    const tools: SwapTools = {
      pane,
      profile: options.profile ?? PROFILE,
      envelope: { payload: MESSAGE, mark: '#a1b2c3' },
      look: this.look,
      token: 'token',
      signal: new AbortController().signal,
      clock: options.clock ?? Date.now,
      save: async (draft) => void this.saved.push(draft),
      view: () => pane.view(),
      strokes: async (strokes, step, seen) => {
        this.steps.push(step);
        const instead = await options.before?.(strokes, seen);
        if (instead) return instead;
        return pane.strokes(strokes, seen && !options.blind ? pinned(seen, undefined) : {});
      },
    };
    const journal = options.journal ?? this.journal;
    return interruptProtocol({ journal, quietSince: options.quietSince ?? (() => 0) })(tools);
  }

  // What a person types, until the box has it.
  async type(text: string): Promise<void> {
    await this.agent.paste(text);
    await until(async () => (await this.agent.draft()).text === text, 'the draft to be there');
    await this.settled();
  }

  // The agent's screen follows what it holds within a frame.
  async settled(): Promise<void> {
    await this.agent.pane.waitForGap(50, 500);
  }

  interrupts(): number[] {
    return this.agent.events().flatMap(({ ev, name, t }) => (ev === 'key' && name === 'C-c' ? [t] : []));
  }

  async submit(protocol: InterruptProtocol): Promise<void> {
    await this.agent.press('Enter');
    await until(async () => (await protocol.check()) === 'nothing', 'the box to let go');
  }

  isAlive(): boolean {
    return this.agent.count('exit') === 0;
  }
}

export const isInterrupt = (strokes: readonly Stroke[]): boolean =>
  strokes.some((stroke) => 'keys' in stroke && stroke.keys.includes('C-c'));
export const isPaste = (strokes: readonly Stroke[]): boolean => strokes.some((stroke) => 'paste' in stroke);
