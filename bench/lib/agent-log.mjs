// What a fake agent itself says that it took, and when.
import fs from 'node:fs';
import { until } from './wait.mjs';

export class AgentLog {
  constructor(file) {
    this.file = file;
    fs.writeFileSync(file, '');
  }

  ready = () => this.#find(({ ev }) => ev === 'ready', 'the agent is ready');

  submitted = (part) =>
    this.#find(({ ev, text }) => ev === 'submit' && text.includes(part), `${part} is submitted`);

  // What its box holds now.
  async draft() {
    const { pid } = await this.ready();
    const count = this.#events().filter(({ ev }) => ev === 'draft').length;
    process.kill(pid, 'SIGUSR2');
    return until(() => this.#events().filter(({ ev }) => ev === 'draft')[count], 'the agent tells its draft');
  }

  #events() {
    return fs.readFileSync(this.file, 'utf8').split('\n').filter(Boolean).map(JSON.parse);
  }

  #find(test, what) {
    return until(() => this.#events().findLast(test), what);
  }
}
