// The files through which Qwen Code is spoken to, and those in which it records what it took.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { idsIn } from '../mark.js';
import { withoutOption } from '../options.js';

export interface Files {
  input: string;
  output: string;
}

// As the command line names them, or why there are none. In others than ours somebody else's lines may stand.
export function ourFiles(argv: readonly string[], cwd: string, folder: string): Files | string {
  const input = withoutOption(argv, '--input-file').value;
  const output = withoutOption(argv, '--json-file').value;
  if (input === undefined || output === undefined)
    return 'it was started without --input-file and --json-file';
  const files = { input: path.resolve(cwd, input), output: path.resolve(cwd, output) };
  const isOurs = Object.values(files).every((file) => file.startsWith(folder + path.sep));
  return isOurs ? files : 'it was started with --input-file and --json-file of its own';
}

// One write, so that the agent never sees half a line; it reads on from where it was.
export function submit({ input }: Files, text: string): void {
  fs.appendFileSync(input, `${JSON.stringify({ type: 'submit', text })}\n`, { mode: 0o600 });
}

export const isEmpty = (file: string): boolean => fs.statSync(file).size === 0;

export const isHandedOver = ({ input }: Files, id: string): boolean => mentions(input, id);

// Its own record of conversations, which also has what it took in the middle of a turn.
export const recordsOf = (env: Readonly<Record<string, string>>): string =>
  path.join(env.HOME ?? os.homedir(), '.qwen', 'projects');

// Also of a large file, without keeping others waiting.
export async function shows(file: string, id: string): Promise<boolean> {
  if (!fs.existsSync(file)) return false;
  const lines = readline.createInterface({ input: fs.createReadStream(file, 'utf8'), crlfDelay: Infinity });
  for await (const line of lines) if (idsIn(line).includes(id)) return true;
  return false;
}

export function isRecorded(records: string, conversation: string, id: string): boolean {
  let projects: string[];
  try {
    projects = fs.readdirSync(records);
  } catch {
    return false;
  }
  return projects.some((project) =>
    mentions(path.join(records, project, 'chats', `${conversation}.jsonl`), id),
  );
}

function mentions(file: string, id: string): boolean {
  try {
    return idsIn(fs.readFileSync(file, 'utf8')).includes(id);
  } catch {
    return false;
  }
}
