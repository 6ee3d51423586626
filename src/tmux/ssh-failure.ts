// Why a host cannot be reached, in one sentence that says what to do about it.

export type SshProblem =
  | 'host_key_unknown'
  | 'host_key_changed'
  | 'denied'
  | 'unknown_name'
  | 'unreachable'
  | 'no_ssh'
  | 'no_tmux'
  | 'old_tmux'
  | 'no_shell'
  | 'no_channel'
  | 'silent'
  | 'lost';

export class SshFailure extends Error {
  override readonly name = 'SshFailure';

  constructor(
    readonly problem: SshProblem,
    message: string,
  ) {
    super(message);
  }
}

// Waiting changes nothing about these: somebody has to do something.
export const needsPerson = (problem: SshProblem): boolean =>
  problem === 'host_key_unknown' || problem === 'host_key_changed' || problem === 'denied';

// From what ssh itself printed; its last line is shown where it is none of these.
export function failureFrom(destination: string, stderr: string, code: number | null): SshFailure {
  const last = stderr.trim().split('\n').at(-1)?.trim() ?? '';
  const fail = (problem: SshProblem, message: string): SshFailure => new SshFailure(problem, message);
  if (/REMOTE HOST IDENTIFICATION HAS CHANGED|host key for .* has changed/i.test(stderr))
    return fail(
      'host_key_changed',
      `the host key of ${destination} is not the one that ssh knows: find out why before anything else; then correct your known_hosts with ssh-keygen -R, and run "ssh ${destination}" once`,
    );
  if (/Host key verification failed|No .* host key is known/i.test(stderr))
    return fail(
      'host_key_unknown',
      `the host key of ${destination} is not known to ssh: run "ssh ${destination}" once, check the key and accept it`,
    );
  if (/Permission denied|Too many authentication failures|No more authentication methods/i.test(stderr))
    return fail(
      'denied',
      `${destination} lets us in with no key: "ssh -o BatchMode=yes ${destination} true" must work without a question (${last})`,
    );
  if (/Could not resolve hostname/i.test(stderr))
    return fail('unknown_name', `ssh does not know a machine by the name of ${destination} (${last})`);
  if (code === 127 || code === 126)
    return fail('no_shell', `the shell of ${destination} did not run what it was given (${last})`);
  return fail(
    'unreachable',
    `${destination} cannot be reached: ${last || `ssh ended with ${code ?? 'a signal'}`}`,
  );
}
