// What the extension says to something that was asked of it, or nothing when it stays silent.
import { Emitter } from '../../tmux/index.js';
import type { Said } from './said.js';

// An extension that runs takes a message within milliseconds.
const ANSWER_MS = 3000;

type OnLetter = Extract<Said, { kind: 'queued' | 'refused' | 'received' }>;
type OnStop = Extract<Said, { kind: 'stopped' | 'not_stopped' }>;

export class Answers {
  readonly #said = new Emitter<Said>();

  hear(said: Said): void {
    this.#said.fire(said);
  }

  onLetter(id: string): Promise<OnLetter | undefined> {
    return this.#first(
      (said): said is OnLetter =>
        (said.kind === 'queued' || said.kind === 'refused' || said.kind === 'received') && said.id === id,
    );
  }

  onStop(name: string): Promise<OnStop | undefined> {
    return this.#first(
      (said): said is OnStop => (said.kind === 'stopped' || said.kind === 'not_stopped') && said.id === name,
    );
  }

  #first<T extends Said>(test: (said: Said) => said is T): Promise<T | undefined> {
    return new Promise((resolve) => {
      const finish = (said: T | undefined): void => {
        clearTimeout(timer);
        listening.dispose();
        resolve(said);
      };
      const listening = this.#said.event((said) => test(said) && finish(said));
      const timer = setTimeout(() => finish(undefined), ANSWER_MS);
    });
  }
}
