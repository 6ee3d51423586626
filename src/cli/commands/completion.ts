import { defineCommand } from '../command.js';
import { COMPLETION_SCRIPTS, type Shell } from '../completion-scripts.js';

export default defineCommand({
  args: [{ name: 'shell', help: 'bash, zsh or fish', choices: ['bash', 'zsh', 'fish'] }],
  options: {},
  examples: [
    { run: 'eval "$(sm completion bash)"', does: 'in ~/.bashrc' },
    { run: 'eval "$(sm completion zsh)"', does: 'in ~/.zshrc, after compinit' },
    { run: 'sm completion fish > ~/.config/fish/completions/sm.fish', does: 'once' },
  ],
  async run({ args }) {
    process.stdout.write(COMPLETION_SCRIPTS[args.shell as Shell]);
    return undefined;
  },
});
