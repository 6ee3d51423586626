// Plain line editors beside the agents: no model, no editor key. Each appends what is submitted to the file in SM_LINES.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFolder } from './packages.mjs';

const program = (file) => fileURLToPath(new URL(`editors/${file}`, import.meta.url));

// What a program tells about itself; undefined if it cannot.
const ask = (command, ...args) => {
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8' });
  return status === 0 ? stdout.trim().split('\n')[0] : undefined;
};

// The first Python that has a module, by the path of the program itself: wrappers look into a HOME that is not there.
const pythonWith = (module) =>
  ['python3', '/usr/bin/python3']
    .map((python) => ask(python, '-c', `import ${module}, sys; print(sys.executable)`))
    .find(Boolean);
const python = (title, prompt, module, file, version, missing) =>
  editor(
    title,
    prompt,
    () => [pythonWith(module), program(file)],
    () => pythonWith(module) && ask(pythonWith(module), '-c', version),
    { missing },
  );

const editor = (title, prompt, command, version, more = {}) => ({
  title,
  command,
  version,
  line: true,
  ready: (screen) => screen.includes(prompt),
  settleMs: 1000,
  ...more,
});

export const EDITORS = {
  bash: editor(
    'bash `read -e`',
    'bash>',
    () => ['bash', program('bash-read.sh')],
    () => ask('bash', '-c', 'echo "$BASH_VERSION"'),
  ),
  python: python(
    'Python readline',
    'py>',
    'readline',
    'python-readline.py',
    'import platform; print(platform.python_version())',
    'Python with readline is not installed: apt-get install python3',
  ),
  node: editor(
    'Node readline',
    'node>',
    () => [process.execPath, program('node-readline.mjs')],
    () => process.versions.node,
  ),
  ink: editor('ink-text-input', 'ink>', () => [process.execPath, program('ink-input.mjs')], undefined, {
    env: () => ({ SM_INK: path.join(packageFolder('ink'), 'package.json') }),
    // It takes a key for the state that it last painted: of two within 90 ms it loses one now and then on a busy machine.
    leastGapMs: 150,
  }),
  ptk: python(
    'prompt_toolkit',
    'ptk>',
    'prompt_toolkit',
    'prompt-toolkit.py',
    'import prompt_toolkit; print(prompt_toolkit.__version__)',
    'prompt_toolkit is not installed: apt-get install python3-prompt-toolkit',
  ),
};
