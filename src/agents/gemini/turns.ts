// Gemini's turns, to which it gives no names: each from a prompt to its end, with what was answered in it.
export class Turns {
  #current: string | null = null;
  #count = 0;
  #told = '';

  get current(): string | null {
    return this.#current;
  }

  begin(at: number): string {
    this.#current = `${at}-${++this.#count}`;
    return this.#current;
  }

  // In a chain of prompts each end tells all answers so far.
  answerIn(response: string, goesOn: boolean): string {
    const isLonger = goesOn && response.startsWith(this.#told);
    const answer = isLonger ? response.slice(this.#told.length) : response;
    this.#told = response;
    return answer.trim();
  }

  // The one that has ended.
  end(): string | null {
    const ended = this.#current;
    this.#current = null;
    return ended;
  }
}
