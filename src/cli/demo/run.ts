// `sm demo`: two scripted agents, a simulated person, and the proof that neither the mail nor the draft came to harm.
import { EXIT } from '../errors.js';
import { paint, say } from '../print.js';
import { type Check, prove } from './proof.js';
import { play } from './scene.js';
import { paceOf } from './script.js';
import { Stage } from './stage.js';
import { fill, Teller } from './tell.js';
import { DemoFailure } from './watch.js';

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export async function runDemo(args: string[]): Promise<number> {
  const stage = new Stage();
  // The last resort, for an exit that nobody planned.
  process.once('exit', () => stage.abandon());
  const stopped = interruption();
  try {
    say(paint('bold', 'Suremail demo: two scripted agents and a person. No model, no key.'));
    const tell = new Teller();
    const code = await Promise.race([perform(stage, tell, args), stopped]);
    tell.silence();
    await stage.close();
    if (code > EXIT.timeout) say('Stopped, and cleaned up.');
    if (code === EXIT.ok) sayWhatNext();
    return code;
  } finally {
    await stage.close();
  }
}

async function perform(stage: Stage, tell: Teller, args: string[]): Promise<number> {
  try {
    const played = await play(stage, tell, paceOf(args));
    const checks = prove(played, stage.notes('bob'), stage.notes('ada'));
    return report(checks);
  } catch (error) {
    if (!(error instanceof DemoFailure)) throw error;
    say(paint('red', `FAILED: ${error.message}`));
    return EXIT.failed;
  }
}

// Resolves with an exit code when the person, the system or the reader of our output has had enough.
function interruption(): Promise<number> {
  return new Promise((resolve) => {
    for (const [signal, code] of Object.entries(SIGNALS)) process.on(signal, () => resolve(code));
    // Instead of exiting at once: what was started must be ended first.
    process.stdout.removeAllListeners('error');
    process.stdout.on('error', () => resolve(EXIT.ok));
  });
}

function report(checks: readonly Check[]): number {
  say();
  say(paint('bold', 'What was proved, from what the two agents themselves wrote down:'));
  for (const { claim, failed } of checks) {
    if (failed === undefined) say(`  ${paint('green', '✓')} ${claim}`);
    else say(paint('red', `  ✗ NOT: ${claim}\n    ${failed}`));
  }
  const failures = checks.filter(({ failed }) => failed !== undefined).length;
  if (failures) say(paint('red', `FAILED: ${failures} of ${checks.length} checks.`));
  else say(paint('dim', CONTRAST));
  return failures ? EXIT.failed : EXIT.ok;
}

const CONTRAST = fill(
  '  For contrast, pressing keys blindly (tmux send-keys) while a person types, measured on real agents: 0 of 155 messages arrived intact, and all 155 drafts were harmed.',
  78,
  '  ',
);

function sayWhatNext(): void {
  say();
  say(paint('bold', 'The same with a real agent:'));
  say('  sm new -- claude                 start it in a tmux pane; any agent will do');
  say('  sm attach claude                 look at it and type, as ever');
  say('  sm send claude "run the tests"   from another terminal, or from another agent');
  say('From a clone, `npm link` puts sm on your PATH; or: node dist/cli/main.js');
  say(paint('dim', 'The demo has removed its daemon, its tmux servers and its folder.'));
}
