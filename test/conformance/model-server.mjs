// A stand-in for the model: answers at once, keeps an agent busy or makes it call a tool when told to, and records what arrived.
// Told by words in the newest prompt: [[hold NAME]] works until `release(NAME)`; [[run COMMAND]] calls the agent's shell tool,
// [[tool NAME {JSON}]] any other; [[fail STATUS]] refuses the request with that status.
import fs from 'node:fs';
import http from 'node:http';
import zlib from 'node:zlib';
import { ownWords, READERS } from './protocols-read.mjs';
import { WRITERS } from './protocols-write.mjs';
import { sleep } from './wait.mjs';

// As often as a model that thinks aloud writes a word.
const WORD_MS = 200;

const SHELL_TOOLS = {
  Bash: (command) => ({ command, description: 'a command' }),
  bash: (command) => ({ command, description: 'a command' }),
  exec_command: (cmd) => ({ cmd, sandbox_permissions: 'require_escalated', justification: 'May it run?' }),
  shell_command: (command) => ({
    command,
    sandbox_permissions: 'require_escalated',
    justification: 'May it run?',
  }),
  run_shell_command: (command) => ({ command, description: 'a command', is_background: false }),
};

export class ModelServer {
  // {t, n, proto, tools, users: words of the person as they stand in the request, end?: 'answered' | 'aborted',
  // endAt?: when the last words of its answer were about to be written, or it was aborted}
  requests = [];
  #released = new Set();
  #server;
  #log;
  url = '';

  static async start(logFile) {
    const server = new ModelServer();
    server.#log = logFile;
    server.#server = http.createServer((request, response) =>
      server.#handle(request, response).catch(() => response.destroy()),
    );
    await new Promise((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    server.url = `http://127.0.0.1:${server.#server.address().port}`;
    return server;
  }

  release(name) {
    this.#released.add(name);
  }

  // No request is being answered.
  get quiet() {
    return this.requests.every(({ end }) => end);
  }

  close() {
    this.#log = undefined;
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #note(record) {
    // What ends with the place has no file any more.
    if (!this.#log) return;
    fs.appendFileSync(this.#log, JSON.stringify({ t: Date.now(), ...record }) + '\n');
  }

  async #handle(request, response) {
    const path = new URL(request.url, 'http://model').pathname;
    const body = await readBody(request);
    const side = sideAnswer(request.method, path);
    if (side) return json(response, 200, side);
    const protocol = body && READERS.find((reader) => reader.path.test(path));
    if (!protocol) {
      this.#note({ ev: 'other', method: request.method, path });
      return json(response, 404, { error: { message: 'not a model call' } });
    }
    const { turns, tools, stream, schema } = protocol.read(body, path);
    const n = this.requests.length + 1;
    const users = turns.filter(({ role }) => role === 'user').flatMap(({ text }) => ownWords(text));
    const record = { t: Date.now(), n, proto: protocol.proto, tools: tools.length, users };
    this.requests.push(record);
    this.#note({ ev: 'in', ...record });
    const ends = () => {
      record.endAt ??= Date.now();
    };
    response.on('close', () => {
      ends();
      record.end = response.writableFinished ? 'answered' : 'aborted';
      this.#note({ ev: record.end, n });
    });
    const answer = decide({ turns, tools, schema }, n);
    if (answer.fails)
      return json(response, answer.fails, {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'refused' },
      });
    const model = body.model ?? 'stand-in';
    await this.#answer(response, WRITERS[protocol.proto], answer, { stream, id: `m${n}`, model, ends });
  }

  async #answer(response, makeWriter, answer, { stream, id, model, ends }) {
    const gone = () => response.destroyed || response.closed;
    const writer = makeWriter(eventStream(response), { id, model });
    if (!stream) {
      await this.#held(answer, gone, () => {});
      ends();
      return json(response, 200, writer.whole(answer.text, answer.call));
    }
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    writer.start();
    // Words before a tool call would make it another kind of turn in some protocols.
    await this.#held(answer, gone, (i) => writer.text(answer.call ? '' : `word${i} `));
    if (gone()) return;
    ends();
    if (answer.call) writer.call(answer.call);
    else writer.text(answer.text);
    writer.end(answer.call);
    response.end();
  }

  async #held({ hold }, gone, word) {
    for (let i = 0; hold && !this.#released.has(hold) && !gone(); i++) {
      word(i);
      await sleep(WORD_MS);
    }
  }
}

// What to answer: {text, hold?}, {call, hold?} or {fails}.
function decide({ turns, tools, schema }, n) {
  if (schema) return { text: JSON.stringify(example(schema)) };
  const at = turns.findLastIndex(({ role, text }) => role === 'user' && ownWords(text).length);
  const prompt = at < 0 || !tools.length ? '' : ownWords(turns[at].text).join('\n');
  if (turns.slice(at + 1).some(({ role }) => role === 'tool')) return { text: `tool done ${n}` };
  const fails = Number(/\[\[fail (\d+)\]\]/.exec(prompt)?.[1] ?? 0);
  if (fails) return { fails };
  const [, tool, args] = /\[\[tool (\S+) (\{.*\})\]\]/s.exec(prompt) ?? [];
  if (tools.includes(tool)) return { call: { name: tool, args: JSON.parse(args) } };
  const hold = /\[\[hold (\S+?)\]\]/.exec(prompt)?.[1];
  // In base64, so that it stands nowhere but in the answer.
  const words = /\[\[say (\S+)\]\]/.exec(prompt)?.[1];
  if (words) return { text: Buffer.from(words, 'base64').toString('utf8'), hold };
  const command = /\[\[run (.*?)\]\]/.exec(prompt)?.[1];
  const name = command && tools.find((tool) => SHELL_TOOLS[tool]);
  return name ? { call: { name, args: SHELL_TOOLS[name](command) }, hold } : { text: `ok ${n}`, hold };
}

// A value that fits a JSON schema, for side requests that want one (titles, routing).
function example(schema) {
  if (schema.enum) return schema.enum[0];
  const type = String(schema.type ?? (schema.properties ? 'object' : 'string')).toLowerCase();
  if (type !== 'object') return { array: [], boolean: false, number: 1, integer: 1 }[type] ?? 'text';
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([key, value]) => [key, example(value)]),
  );
}

// Requests that are no model calls but must succeed.
function sideAnswer(method, path) {
  if (path.endsWith('/messages/count_tokens')) return { input_tokens: 100 };
  if (path.endsWith(':countTokens')) return { totalTokens: 100 };
  if (method === 'GET' && path.endsWith('/models'))
    return { object: 'list', data: [{ id: 'stand-in', object: 'model' }] };
  return undefined;
}

async function readBody(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  const raw = Buffer.concat(parts);
  try {
    return JSON.parse(request.headers['content-encoding'] === 'gzip' ? zlib.gunzipSync(raw) : raw);
  } catch {
    return undefined;
  }
}

function json(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

const eventStream = (response) => (event, data) => {
  if (response.destroyed) return;
  if (data === null) return void response.write(': alive\n\n');
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  response.write(`${event ? `event: ${event}\n` : ''}data: ${text}\n\n`);
};
