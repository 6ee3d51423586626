// How far the way to a machine goes: each step of it, and at the first that fails why.
import type { HostCheck } from '../api/types.js';
import type { Host } from '../sessions/index.js';
import type { SshProblem } from '../tmux/index.js';

type Step = HostCheck['steps'][number];

const STEPS = ['reached', 'host key', 'login', 'shell', 'tmux', 'clock'] as const;

// The step that a problem stands for.
const FAILED: Record<SshProblem, (typeof STEPS)[number]> = {
  no_ssh: 'reached',
  unknown_name: 'reached',
  unreachable: 'reached',
  silent: 'reached',
  lost: 'reached',
  host_key_unknown: 'host key',
  host_key_changed: 'host key',
  denied: 'login',
  no_shell: 'shell',
  no_channel: 'shell',
  no_tmux: 'tmux',
  old_tmux: 'tmux',
};

export async function checkHost({ ssh }: Host): Promise<{ ok: boolean; steps: Step[] }> {
  const facts = await ssh.reach().catch(() => undefined);
  const { state } = ssh;
  if (!facts) {
    const problem = state.kind === 'down' ? state.problem : 'lost';
    const reason = state.kind === 'down' ? state.reason : `it is ${state.kind}`;
    const at = STEPS.indexOf(FAILED[problem]);
    return {
      ok: false,
      steps: STEPS.map((step, i) => ({
        step,
        state: i < at ? 'ok' : i === at ? 'failed' : 'not tried',
        detail: i === at ? reason : null,
      })),
    };
  }
  const details: Partial<Record<Step['step'], string>> = {
    shell: facts.system,
    tmux: `${facts.tmuxVersion}, ${facts.tmux}`,
    clock: facts.skewS === 0 ? 'as here' : `${facts.skewS} s ahead of ours: taken into account`,
  };
  return { ok: true, steps: STEPS.map((step) => ({ step, state: 'ok', detail: details[step] ?? null })) };
}
