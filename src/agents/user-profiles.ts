// Profiles that a user adds as data alone: one YAML file an agent, checked field by field.
import fs from 'node:fs';
import path from 'node:path';
import { parseDocument } from 'yaml';
import { GENERIC, type Profile } from './profile.js';
import { PROFILES } from './recognise.js';
import { NEEDS, schema } from './user-profile-schema.js';
import { explain } from './user-profile-words.js';

// What it can do is offered in this order unless it says otherwise.
const OFFERED = ['direct', 'editor', 'stash', 'sentinel'] as const;
const ENDING = /\.ya?ml$/;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

// What stands in each file of the folder that is read, by its name.
export type AgentSources = Readonly<Record<string, string>>;

export const readAgentSources = (folder: string): AgentSources =>
  Object.fromEntries(
    filesIn(folder)
      .filter((name) => ENDING.test(name))
      .map((name) => [name, sourceOf(path.join(folder, name))]),
  );

// One profile a file; one that is not understood is an error that names file, field and what would be right.
export function understandAgents(folder: string, sources: AgentSources): Profile[] {
  const files = Object.keys(sources);
  const profiles = files.map((name) => readProfile(path.join(folder, name), sources[name] as string));
  const twice = files.find((name, i) => i > 0 && nameOf(name) === nameOf(files[i - 1] as string));
  if (twice !== undefined)
    throw new Error(`${path.join(folder, twice)}: there is a second file for the agent "${nameOf(twice)}"`);
  for (const [i, profile] of profiles.entries())
    refuseClaimed(path.join(folder, files[i] as string), profile, profiles.slice(0, i));
  return profiles;
}

export const readUserProfiles = (folder: string): Profile[] =>
  understandAgents(folder, readAgentSources(folder));

// Whichever is asked first would have it, and the other be known by nothing. A file named as a built-in agent takes its place.
function refuseClaimed(file: string, { name, programs }: Profile, before: readonly Profile[]): void {
  for (const program of programs) {
    const owner = [...before, ...PROFILES].find(
      (each) => each.name !== name && each.programs.includes(program),
    );
    if (owner)
      throw new Error(
        `${file}: programs "${program}": belongs to the agent "${owner.name}" already; leave it out, or put all of this into ${owner.name}.yaml`,
      );
  }
}

// What lies there and is not read.
export const ignoredFiles = (folder: string): string[] =>
  filesIn(folder)
    .filter((name) => !ENDING.test(name))
    .map((name) => path.join(folder, name));

// Files that start with a dot are those of editors and systems.
function filesIn(folder: string): string[] {
  try {
    return fs
      .readdirSync(folder)
      .filter((name) => !name.startsWith('.'))
      .sort();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    throw new Error(
      code === 'ENOTDIR'
        ? `${folder}: must be a folder of files such as scribe.yaml`
        : `${folder}: ${message}`,
    );
  }
}

const nameOf = (file: string): string => path.basename(file).replace(ENDING, '');

function sourceOf(file: string): string {
  if (fs.statSync(file).isDirectory()) throw new Error(`${file}: is a folder; must be a file`);
  return fs.readFileSync(file, 'utf8');
}

function yamlOf(file: string, source: string): unknown {
  const document = parseDocument(source, { prettyErrors: false });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem) {
    const line = source.slice(0, problem.pos[0]).split('\n').length;
    throw new Error(`${file}: is no valid YAML: line ${line}: ${problem.message}`);
  }
  const content: unknown = document.toJS();
  if (content === null || content === undefined)
    throw new Error(`${file}: is empty; must say something of the agent, such as "title: Scribe"`);
  if (typeof content !== 'object' || Array.isArray(content))
    throw new Error(`${file}: must hold lines of the form "key: value", such as "title: Scribe"`);
  return content;
}

function readProfile(file: string, source: string): Profile {
  const name = nameOf(file);
  if (!NAME.test(name))
    throw new Error(
      `${file}: the name "${name}" is no name of an agent; must be letters, digits and . _ -, such as scribe.yaml`,
    );
  if (name === GENERIC.name)
    throw new Error(`${file}: "${name}" is what programs without a profile have; must be another name`);
  const content = yamlOf(file, source);
  const read = schema.safeParse(content);
  if (!read.success) throw new Error(`${file}: ${explain(read.error, content)}`);
  const given: Record<string, unknown> = Object.fromEntries(
    Object.entries(read.data).filter(([, value]) => value !== undefined),
  );
  const has = (block: string | undefined): boolean => block === undefined || block in given;
  given.protocols ??= OFFERED.filter((protocol) => has(NEEDS[protocol])).map((protocol) => ({ protocol }));
  return { ...GENERIC, title: name, programs: [name], ...given, name } as Profile;
}
