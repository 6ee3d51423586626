// Who infers the state of agents that say nothing, looked at for the doctor.
import type { Config } from '../mail/index.js';
import type { Inference } from '../signals/index.js';
import { showTime } from './config-values.js';
import { type Checked, problem } from './finding.js';

export function checkInference(
  { inference }: Pick<Config, 'inference'>,
  running: Pick<Inference, 'failure' | 'spent'>,
): Checked {
  if (inference === null) return { about: 'inference', detail: 'off', findings: [] };
  const { by, budget } = inference;
  const who = by.kind === 'command' ? by.argv[0] : `${by.model} at ${new URL(by.url).origin}`;
  const { failure } = running;
  return {
    about: 'inference',
    detail: `by ${who}; ${running.spent(inference)} of ${budget.count} questions in ${showTime(budget.perMs)}`,
    findings:
      failure === null
        ? []
        : [
            problem(
              'inference',
              `the last screen was not classified: ${failure}`,
              'inference in the configuration says who is asked',
            ),
          ],
  };
}
