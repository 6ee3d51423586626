import { describe, expect, it } from 'vitest';
import { unitFile, unitText, unitVariables } from './service-unit.js';

it('is where systemd looks for units of its user', () => {
  expect(unitFile({ XDG_CONFIG_HOME: '/c' })).toBe('/c/systemd/user/suremail.service');
  expect(unitFile({ XDG_CONFIG_HOME: 'c' })).toMatch(/\/\.config\/systemd\/user\/suremail\.service$/);
});

describe('the unit', () => {
  const text = unitText({
    node: '/opt/my node/bin/node',
    daemon: '/a/$HOME/100%/main.js',
    env: { PATH: '/bin:/a "b"', SM_HOME: '/h%u\\x' },
  });

  it('quotes what systemd would expand', () => {
    expect(text).toContain('ExecStart="/opt/my node/bin/node" "/a/$$HOME/100%%/main.js"\n');
    expect(text).toContain('Environment="PATH=/bin:/a \\"b\\""\n');
    expect(text).toContain('Environment="SM_HOME=/h%%u\\\\x"\n');
  });

  it('leaves tmux servers alone when the daemon stops, and starts it again after a crash only', () => {
    expect(text).toMatch(/^KillMode=process$/m);
    expect(text).toMatch(/^Restart=on-failure$/m);
    expect(text).toMatch(/^WantedBy=default\.target$/m);
  });
});

it('takes over what the daemon needs of this shell, and no more', () => {
  const env = { PATH: '/bin', SM_PORT: '', TMUX: 'x', TMUX_PANE: '%1', SECRET: 'x', TMUX_TMPDIR: '/t' };
  expect(unitVariables(env, { SM_HOME: '/h' })).toEqual({ PATH: '/bin', TMUX_TMPDIR: '/t', SM_HOME: '/h' });
});
