// A fake agent with Claude Code's hooks: runs those of --settings, is woken by an asyncRewake hook, keeps a registry file
// and a transcript. Beside the options of a box: --no-hooks, as a policy does; --no-registry, as older versions have it; --stops
// TEXT, as a hook of the user's stops each prompt with that text; --rests MS, its registry says only so long after its Stop hook
// that it is idle.
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { BoxApp } from '../lib/box-app.mjs';
import { logEvent } from '../lib/log.mjs';
import { parseBoxOptions } from '../lib/options.mjs';

const config = process.env.CLAUDE_CONFIG_DIR ?? process.cwd();
const session = randomUUID();
const transcript = path.join(config, 'projects', `${session}.jsonl`);
const registry = path.join(config, 'sessions', `${process.pid}.json`);
for (const file of [transcript, registry]) fs.mkdirSync(path.dirname(file), { recursive: true });

class WokenApp extends BoxApp {
  #turn = null;
  #ending;
  #waiting = [];

  constructor(options) {
    super(options);
    this.hooks = options.noHooks ? {} : options.hooks;
  }

  start() {
    super.start();
    this.#status('idle');
    this.#hook('SessionStart', { source: 'startup' });
    // A tool that runs for as long as it is told: takes in what came meanwhile, and ends.
    process.on('SIGHUP', () => this.#kill());
  }

  submit(text) {
    this.#prompt(text, 'typed');
  }

  // Escape stops the running turn, of whose end no hook tells.
  handle(event) {
    if (event.type !== 'key' || event.name !== 'escape' || this.#turn === null) return super.handle(event);
    clearTimeout(this.#ending);
    this.#turn = null;
    this.screen.print(['interrupted']);
    const next = this.#waiting.shift();
    if (next) this.#begin(next.text, next.source);
    else this.#status('idle');
    this.redraw();
  }

  #kill() {
    process.kill(process.pid, 'SIGKILL');
  }

  // A prompt, or a notice that woke it; what comes during a turn is queued.
  #prompt(text, source) {
    if (this.#turn !== null) {
      if (source === 'typed') this.#hook('UserPromptSubmit', { prompt: text, prompt_id: this.#turn });
      this.#waiting.push({ text, source: source === 'typed' ? 'queued' : source });
      return;
    }
    this.#begin(text, source);
  }

  #begin(text, source) {
    this.#turn = randomUUID();
    this.#status('busy');
    if (source !== 'queued') this.#hook('UserPromptSubmit', { prompt: text, prompt_id: this.#turn });
    if (this.options.stops && text.includes(this.options.stops)) {
      this.#turn = null;
      this.#status('idle');
      return;
    }
    this.#write({
      type: 'user',
      promptSource: source,
      promptId: this.#turn,
      message: { role: 'user', content: text },
    });
    logEvent('submit', { text, source });
    this.screen.print([`${source}: ${text.split('\n').at(-1)}`]);
    this.#ending = setTimeout(() => this.#end(text), this.options.busy);
  }

  #end(text) {
    const turn = this.#turn;
    this.#turn = null;
    const next = this.#waiting.shift();
    this.#hook('Stop', { prompt_id: turn, last_assistant_message: `ok ${text.length}` });
    if (next) this.#begin(next.text, next.source);
    else if (this.options.rests) setTimeout(() => this.#turn ?? this.#status('idle'), this.options.rests);
    else this.#status('idle');
    this.redraw();
  }

  #status(status) {
    if (this.options.noRegistry) return;
    const text = JSON.stringify({
      pid: process.pid,
      sessionId: session,
      status,
      statusUpdatedAt: Date.now(),
    });
    fs.writeFileSync(`${registry}.tmp`, text);
    fs.renameSync(`${registry}.tmp`, registry);
  }

  #write(line) {
    fs.appendFileSync(transcript, `${JSON.stringify(line)}\n`);
  }

  #hook(event, fields) {
    const common = {
      session_id: session,
      transcript_path: transcript,
      cwd: process.cwd(),
      hook_event_name: event,
    };
    const input = JSON.stringify({ ...common, ...fields });
    for (const { hooks } of this.hooks[event] ?? [])
      for (const { command, asyncRewake } of hooks) {
        if (asyncRewake) this.#background(command, input);
        else spawnSync('/bin/sh', ['-c', command], { input });
      }
  }

  // Ending with code 2 wakes the model with what was written.
  #background(command, input) {
    const child = spawn('/bin/sh', ['-c', command], { stdio: ['pipe', 'ignore', 'pipe'] });
    let told = '';
    child.stderr.on('data', (data) => (told += data));
    child.on('close', (code) => {
      if (code === 2) this.#prompt(`<task-notification>${told}</task-notification>`, 'system');
    });
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    process.on('exit', () => child.kill());
  }
}

const own = {
  settings: { type: 'string' },
  'append-system-prompt': { type: 'string' },
  'mcp-config': { type: 'string' },
  'no-hooks': { type: 'boolean' },
  'no-registry': { type: 'boolean' },
  stops: { type: 'string' },
  rests: { type: 'string' },
};
const editor = ['--editor', 'C-g', '--editor-file', 'claude-prompt'];
const options = parseBoxOptions([...editor, ...process.argv.slice(2)], own);
const settings = options.values.settings ? JSON.parse(fs.readFileSync(options.values.settings, 'utf8')) : {};
new WokenApp({
  ...options,
  hooks: settings.hooks ?? {},
  noHooks: options.values['no-hooks'],
  noRegistry: options.values['no-registry'],
  stops: options.values.stops,
  rests: Number(options.values.rests ?? 0),
}).run();
