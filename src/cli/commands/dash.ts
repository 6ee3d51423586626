import type { Exposure } from '../../api/types.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { ask } from '../connect.js';
import { CliError, EXIT, UsageError } from '../errors.js';
import { opener, openPage } from '../open-page.js';
import { say, sayJson } from '../print.js';
import { readNewSecret } from '../read-secret.js';

export default defineCommand({
  about: [
    'The browser is signed in by a link that works once, for a minute. Where there is no browser to open, the link is printed.',
    'From another machine: set a password, then open the dashboard at an address of this one; or keep it closed and forward its port, ssh -L 4747:127.0.0.1:4747. --host 127.0.0.1 closes it again.',
  ],
  args: [],
  options: {
    print: { kind: 'flag', help: 'print the link, open nothing; also beside the other options' },
    password: {
      kind: 'flag',
      help: 'set the password, asked for or read from standard input; signs all out',
    },
    'no-password': {
      kind: 'flag',
      help: 'let no password sign in any more; signs all out, and closes it where people came in by it',
    },
    host: {
      kind: 'text',
      value: 'ADDRESS',
      help: 'let it be reached at this address too, until the daemon stops; 0.0.0.0: at all of them; 127.0.0.1: at no other any more',
    },
    token: {
      kind: 'flag',
      help: 'with --host: without a password, people there sign in with the token',
      field: 'sign_in',
    },
    json: JSON_OPTION,
  },
  examples: [
    { run: 'sm dash', does: 'open it, signed in' },
    { run: 'sm dash --print', does: 'a link for a browser elsewhere on this machine' },
    { run: 'sm dash --password', does: 'set the password' },
    { run: 'sm dash --host 0.0.0.0', does: 'reach it from your phone, with the password' },
  ],
  exits: [[EXIT.refused, 'the address is not one of this machine, or no password is set for it']],
  async run({ options }) {
    if (options.password && options['no-password'])
      throw new UsageError('--password and --no-password cannot both be');
    if (options.token && options.host === undefined)
      throw new UsageError('--token goes with --host', 'by itself "sm dash" needs neither');
    if (options.password) await setPassword();
    if (options['no-password']) await ask((client) => client.removePassword());
    const { host } = options;
    const isChange = options.password || options['no-password'] || host !== undefined;
    if (isChange) {
      const exposed =
        host === undefined
          ? await ask((client) => client.exposure())
          : await ask((client) => client.expose({ host, sign_in: options.token ? 'token' : 'password' }));
      const link = options.print ? await ask((client) => client.signInLink()) : undefined;
      if (options.json) sayJson({ ...exposed, ...link });
      else {
        report(options, exposed);
        if (link) say(link.url);
      }
      return undefined;
    }
    const link = await ask((client) => client.signInLink());
    const program = options.print || options.json ? undefined : opener(process.platform, process.env);
    if (options.json) sayJson(link);
    else if (!program) say(link.url);
    else if (await openPage(program, link.url)) say(`opened ${new URL(link.url).origin} in your browser`);
    else {
      throw new CliError(
        `${program} could not open ${new URL(link.url).origin}`,
        EXIT.failed,
        'sm dash --print',
      );
    }
    return undefined;
  },
});

async function setPassword(): Promise<void> {
  const password = await readNewSecret('new password: ', 'the same again: ');
  await ask((client) => client.setPassword(password));
}

function report(
  options: { password: boolean; 'no-password': boolean; host: string | undefined; token: boolean },
  { hosts, port }: Exposure,
): void {
  if (options.password) say('the password is set; every browser is signed out');
  if (options['no-password']) say('no password signs in any more; every browser is signed out');
  if (options.host === undefined && !options['no-password']) return;
  if (hosts.length === 1) {
    say('it can be reached from this machine alone');
    return;
  }
  const where = hosts.map((host) => (host.includes(':') ? `[${host}]` : host));
  say(`it can be reached at ${where.join(', ')}, port ${port}, until the daemon stops`);
  say(
    options.token || options['no-password']
      ? 'whoever comes from there signs in with the token: the file "token" in the home folder'
      : 'whoever comes from there signs in with the password; it goes over the network as it is, unless a proxy speaks TLS',
  );
}
