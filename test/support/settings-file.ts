// A settings file of an agent in a folder of its own, and the hooks that are to go into it.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { HookPlan } from '../../src/agents/hook-file.js';

export class SettingsFile {
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'smu-hooks-'));
  readonly plan: HookPlan = {
    file: path.join(this.folder, 'deep', 'settings.json'),
    ours: { Stop: [{ hooks: [{ type: 'command', command: `sh '${this.folder}/scripts/hook.sh'` }] }] },
    scripts: path.join(this.folder, 'scripts'),
    backups: path.join(this.folder, 'backups'),
  };

  write(text: string): void {
    fs.mkdirSync(path.dirname(this.plan.file), { recursive: true });
    fs.writeFileSync(this.plan.file, text);
  }

  read(): string {
    return fs.readFileSync(this.plan.file, 'utf8');
  }

  remove(): void {
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}
