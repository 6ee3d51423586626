// How each real agent is started without a network, and what the proving ground must know to set a scene on its screen.
//
// Functions take {url, cwd, version}: the stand-in model, the work folder, the installed version.
//   env, args     for a start              files        path below HOME -> text, or an object written as JSON
//   smOptions     of `sm new`
//   ready         this screen shows an input box            settleMs   what it needs after that before it takes keys
//   dialog        this screen asks for approval (undefined: it never asks)
//   main          this request is the agent's own turn, not a title, a suggestion or routing
//   editorKeys    open the person's editor on the draft      ignoresEmpty   its box cannot be cleared through the editor
//   door          it has a way in of its own; doorSince: from this version on
//   pauseMs       how long its person pauses at times: where mail waits for a pause there must be some
//   vim           what switches its vim keys on: files or env as above

const KEY = `sk-ant-stand-in-${'0'.repeat(40)}`;
const hasTools = ({ tools }) => tools > 0;
// What they ask the model beside the turn, to suggest the next prompt.
const isSuggestion = (users) => users.at(-1)?.includes('SUGGESTION MODE') ?? false;

const claude = {
  title: 'Claude Code',
  env: ({ url }) => ({
    ANTHROPIC_API_KEY: KEY,
    ANTHROPIC_BASE_URL: url,
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }),
  // Without the offers and questions of a first start.
  files: ({ cwd, version, vim }) => ({
    '.claude.json': {
      numStartups: 5,
      autoUpdates: false,
      theme: 'dark',
      installMethod: 'global',
      hasCompletedOnboarding: true,
      lastOnboardingVersion: version,
      lastReleaseNotesSeen: version,
      hasSeenTasksHint: true,
      hasSeenAutoDefaultNudge: true,
      hasUsedStash: true,
      shiftEnterKeyBindingInstalled: true,
      customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
      ...(vim ? { editorMode: 'vim' } : {}),
      projects: {
        [cwd]: {
          hasTrustDialogAccepted: true,
          hasCompletedProjectOnboarding: true,
          allowedTools: [],
          projectOnboardingSeenCount: 5,
          mcpServers: {},
        },
      },
    },
    '.claude/settings.json': {
      permissions: { defaultMode: 'default' },
      ...(vim ? { editorMode: 'vim' } : {}),
    },
  }),
  ready: (screen) => /^❯/m.test(screen),
  dialog: (screen) => screen.includes('Do you want to proceed?'),
  settleMs: 500,
  main: ({ tools, users }) => tools > 0 && !isSuggestion(users),
  editorKeys: ['C-g'],
  vim: true,
  door: true,
  doorSince: '2.1.112',
};

const codex = {
  title: 'Codex',
  door: true,
  env: () => ({ STAND_IN_KEY: 'none' }),
  files: ({ url, cwd, vim }) => ({
    '.codex/config.toml': [
      'model = "stand-in"',
      'model_provider = "stand-in"',
      'approval_policy = "on-request"',
      'sandbox_mode = "read-only"',
      'check_for_update_on_startup = false',
      ...(vim ? ['[tui]', 'vim_mode_default = true'] : []),
      '[model_providers.stand-in]',
      'name = "stand-in"',
      `base_url = "${url}/v1"`,
      'wire_api = "responses"',
      'env_key = "STAND_IN_KEY"',
      `[projects."${cwd}"]`,
      'trust_level = "trusted"',
      '',
    ].join('\n'),
  }),
  ready: (screen) => /^› /m.test(screen),
  dialog: (screen) => screen.includes('Would you like to run the following command?'),
  // Questions of its start come up to 2.5 s after the box.
  settleMs: 2500,
  main: ({ tools, proto }) => tools > 0 && proto === 'responses',
  editorKeys: ['C-g'],
  vim: true,
};

const geminiSettings = ({ vim }) => ({
  security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, ...(vim && { vimMode: true }) },
  privacy: { usageStatisticsEnabled: false },
  ui: { hideTips: true },
});

const gemini = {
  title: 'Gemini CLI',
  env: ({ url }) => ({ GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: url }),
  files: (context) => ({ '.gemini/settings.json': geminiSettings(context) }),
  ready: (screen) => /Type your message|for NORMAL mode/.test(screen),
  dialog: (screen) => screen.includes('Allow execution of'),
  settleMs: 1500,
  main: ({ tools, proto }) => tools > 0 && proto === 'gemini',
  editorKeys: ['C-g'],
  // It takes seconds to come back from its editor.
  pauseMs: [300, 5000],
  vim: true,
};

const opencode = {
  title: 'OpenCode',
  door: true,
  env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
  files: ({ url }) => ({
    '.config/opencode/opencode.json': {
      autoupdate: false,
      share: 'disabled',
      model: 'stand-in/stand-in',
      small_model: 'stand-in/stand-in',
      permission: { bash: 'ask' },
      provider: {
        'stand-in': {
          npm: '@ai-sdk/openai-compatible',
          name: 'stand-in',
          options: { baseURL: `${url}/v1`, apiKey: 'none' },
          models: {
            'stand-in': { name: 'stand-in', tool_call: true, limit: { context: 200000, output: 8000 } },
          },
        },
      },
    },
  }),
  ready: (screen) => /Ask anything|ctrl\+p/.test(screen),
  dialog: (screen) => screen.includes('Permission required'),
  settleMs: 1500,
  main: hasTools,
  editorKeys: ['C-x', 'e'],
  ignoresEmpty: true,
};

const qwen = {
  title: 'Qwen Code',
  door: true,
  args: ['--auth-type', 'openai', '--approval-mode', 'default'],
  env: ({ url }) => ({ OPENAI_API_KEY: 'none', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'stand-in' }),
  files: ({ vim }) => ({
    '.qwen/settings.json': {
      security: { auth: { selectedType: 'openai' }, folderTrust: { enabled: false } },
      general: { enableAutoUpdate: false, disableAutoUpdate: true, ...(vim && { vimMode: true }) },
      privacy: { usageStatisticsEnabled: false },
    },
  }),
  ready: (screen) => /Type your message|for NORMAL mode/.test(screen),
  dialog: (screen) => screen.includes('Allow execution of'),
  settleMs: 1500,
  main: ({ tools, users }) => tools > 10 && !isSuggestion(users),
  editorKeys: ['C-x'],
  vim: true,
  // The others start in INSERT.
  vimStartsNormal: true,
};

const pi = {
  title: 'pi',
  door: true,
  args: ['--provider', 'stand-in', '--model', 'stand-in'],
  env: () => ({ PI_OFFLINE: '1' }),
  files: ({ url }) => ({
    '.pi/agent/models.json': {
      providers: {
        'stand-in': {
          baseUrl: `${url}/v1`,
          api: 'openai-completions',
          apiKey: 'none',
          models: [{ id: 'stand-in', name: 'stand-in', contextWindow: 200000, maxTokens: 8000 }],
        },
      },
    },
  }),
  ready: (screen) => screen.includes('(auto)'),
  settleMs: 500,
  main: hasTools,
  editorKeys: ['C-g'],
};

const copilot = {
  title: 'GitHub Copilot CLI',
  door: true,
  env: ({ url }) => ({
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
    COPILOT_MODEL: 'stand-in',
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_API_KEY: 'none',
  }),
  files: ({ cwd }) => ({
    '.copilot/config.json': { trusted_folders: [cwd], trustedFolders: [cwd], banner: 'never' },
  }),
  ready: (screen) => screen.includes('❯'),
  dialog: (screen) => screen.includes('Do you want to run this command?'),
  settleMs: 2000,
  main: hasTools,
  editorKeys: ['C-g'],
};

export const AGENTS = { claude, codex, gemini, opencode, qwen, pi, copilot };
