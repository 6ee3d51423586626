// `npm start`: installs and builds what is missing, starts the daemon, and shows the demo.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { build } from './build.mjs';
import { fail, installDependencies, installTmux, requireNode, root } from './setup.mjs';

requireNode();
installTmux();
installDependencies();
build();

const sm = (...args) =>
  spawnSync(process.execPath, [path.join(root, 'dist/cli/main.js'), ...args], { stdio: 'inherit' }).status ??
  1;
if (sm('up') !== 0) fail('The daemon could not be started; its message is above.');
process.exit(sm('demo', ...process.argv.slice(2)));
