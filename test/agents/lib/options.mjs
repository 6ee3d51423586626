// Command line options of the box programs.
import { parseArgs } from 'node:util';

const number = { type: 'string' };
const flag = { type: 'boolean' };

const BOX_OPTIONS = {
  busy: number,
  placeholder: { type: 'string' },
  collapse: number,
  'enter-gap': number,
  redraw: number,
  tear: number,
  'no-prompt': flag,
  'no-rules': flag,
  'start-delay': number,
  alt: flag,
  'ignore-input': number,
};

const toNumber = (name, value, fallback) => {
  if (value === undefined) return fallback;
  const n = Number(value);
  if (!Number.isFinite(n) || n < 0) throw new Error(`--${name}: not a number: ${value}`);
  return n;
};

// A later option wins, so a wrapper puts its defaults before the arguments it was given.
export function parseBoxOptions(args, extra = {}) {
  const { values } = parseArgs({ args, options: { ...BOX_OPTIONS, ...extra } });
  const num = (name, fallback) => toNumber(name, values[name], fallback);
  return {
    busy: num('busy', 0),
    placeholder: values.placeholder ?? '',
    collapse: num('collapse', undefined),
    enterGap: num('enter-gap', 0),
    redraw: num('redraw', 0),
    tear: num('tear', 3),
    prompt: values['no-prompt'] ? '' : '> ',
    rules: !values['no-rules'],
    startDelay: num('start-delay', 0),
    alt: values.alt ?? false,
    ignoreInput: num('ignore-input', 0),
    values,
    num,
  };
}
