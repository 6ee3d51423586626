// Are our hooks in agents' own settings whole and of this version, wherever they were put?
import { HookFileError, hookState } from '../agents/index.js';
import { type Checked, problem } from './finding.js';
import type { OwnHookPlan } from './hook-plans.js';

export function checkHooks(plans: readonly OwnHookPlan[]): Checked {
  const there: string[] = [];
  const findings = plans.flatMap((plan) => {
    const { file, agent } = plan;
    try {
      const state = hookState(plan);
      if (state !== 'absent') there.push(file);
      // Where they were put with other variables, only their presence can be told.
      if (state !== 'outdated' || agent === null) return [];
      const message = `hooks of another version are in ${file}`;
      return [problem('hooks', message, `"sm hooks install ${agent}" renews them`)];
    } catch (error) {
      if (!(error instanceof HookFileError)) throw error;
      return [problem('hooks', error.message, 'correct that file; its agent may not read it either')];
    }
  });
  const detail = there.length > 0 ? `in ${there.join(', ')}` : "none in agents' own settings";
  return { about: 'hooks', detail, findings };
}
