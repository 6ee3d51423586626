// ink with ink-text-input, from the cache folder that SM_INK points into: each submitted text appended to $SM_LINES.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(process.env.SM_INK);
const load = (name) => import(pathToFileURL(require.resolve(name)));
const { createElement, useState } = (await load('react')).default;
const { Box, Text, render } = await load('ink');
const { default: TextInput } = await load('ink-text-input');

function Input() {
  const [value, onChange] = useState('');
  const onSubmit = (text) => {
    fs.appendFileSync(process.env.SM_LINES, JSON.stringify(text) + '\n');
    onChange('');
  };
  const input = createElement(TextInput, { value, onChange, onSubmit });
  return createElement(Box, null, createElement(Text, null, 'ink> '), input);
}
render(createElement(Input));
