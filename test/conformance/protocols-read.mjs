// What agents send to their model, of four protocols, reduced to turns: {role: 'user' | 'assistant' | 'system' | 'tool', text}.

const texts = (content) => {
  if (typeof content === 'string') return [content];
  return (content ?? [])
    .map((part) => (typeof part === 'string' ? part : part.text))
    .filter((text) => text !== undefined);
};
const turns = (role, content) => texts(content).map((text) => ({ role, text }));
// A turn that only calls a tool still ends what the user said before it.
const spoken = (role, content) => {
  const said = turns(role, content);
  return said.length || role !== 'assistant' ? said : [{ role, text: '' }];
};

// Claude Code gives one that comes inside of a turn together with what it says of itself, and so what hooks add to a prompt.
const isNotification = (content) =>
  /^(\[SYSTEM NOTIFICATION|UserPromptSubmit hook additional context: )/.test(texts(content)[0] ?? '');

function readAnthropic(body) {
  return {
    turns: (body.messages ?? []).flatMap(({ role, content }) => {
      const results = Array.isArray(content) ? content.filter(({ type }) => type === 'tool_result') : [];
      return [
        ...results.map((result) => ({ role: 'tool', text: texts(result.content).join('') })),
        ...spoken(role === 'system' && isNotification(content) ? 'user' : role, content),
      ];
    }),
    tools: (body.tools ?? []).map(({ name }) => name),
    stream: Boolean(body.stream),
    schema: (body.output_config?.format ?? body.output_format)?.schema,
  };
}

function readResponses(body) {
  const items = Array.isArray(body.input) ? body.input : [{ role: 'user', content: body.input }];
  return {
    turns: items.flatMap((item) => {
      if (item.type === 'function_call_output') return [{ role: 'tool', text: JSON.stringify(item.output) }];
      if (item.type === 'function_call') return [{ role: 'assistant', text: '' }];
      return item.role ? turns(item.role, item.content) : [];
    }),
    tools: (body.tools ?? []).map(({ name, type }) => name ?? type),
    stream: body.stream !== false,
    schema: body.text?.format?.schema,
  };
}

function readChat(body) {
  return {
    turns: (body.messages ?? []).flatMap(({ role, content }) => spoken(role, content)),
    tools: (body.tools ?? []).map((tool) => tool.function?.name),
    stream: Boolean(body.stream),
    schema: body.response_format?.json_schema?.schema,
  };
}

function readGemini(body, path) {
  const config = body.generationConfig ?? {};
  const wantsJson = config.responseMimeType === 'application/json';
  return {
    turns: (body.contents ?? []).flatMap(({ role, parts = [] }) => [
      ...parts.filter((part) => part.functionResponse).map(() => ({ role: 'tool', text: '' })),
      ...spoken(role === 'model' ? 'assistant' : 'user', parts),
    ]),
    tools: (body.tools ?? []).flatMap((tool) => (tool.functionDeclarations ?? []).map(({ name }) => name)),
    stream: path.endsWith(':streamGenerateContent'),
    schema: wantsJson ? (config.responseJsonSchema ?? config.responseSchema ?? {}) : undefined,
  };
}

export const READERS = [
  { proto: 'anthropic', path: /\/messages$/, read: readAnthropic },
  { proto: 'responses', path: /\/responses$/, read: readResponses },
  { proto: 'chat', path: /\/chat\/completions$/, read: readChat },
  { proto: 'gemini', path: /:(streamGenerateContent|generateContent)$/, read: readGemini },
];

// What agents themselves add around or beside the words of a person.
const ADDED = new RegExp(
  '^\\s*(<(system-reminder|local-command|command-name|bash-|environment_context|user_instructions|permissions' +
    '|task-notification|session_context|turn_aborted|INSTRUCTIONS)|\\[Request interrupted|\\[SYSTEM NOTIFICATION|UserPromptSubmit hook additional context)',
);
const WRAPPED = /<(current_datetime|system_reminder|reminder|system-reminder)>[\s\S]*?<\/\1>\s*/g;
const PREFACED = /^The user sent a new message while you were working:\n/;

// Mail that came as a notification, inside what the agent puts around one.
const NOTICE =
  /\[Input from: [^\n]* via sm send\] #[0-9a-f]{12}\n[\s\S]*?(?=\n<\/|\n&lt;\/|\n\n?\[Input from: |$)/g;

// The words of a person, and mail, as they were submitted; nothing for what the agent added by itself.
export function ownWords(text) {
  // Several in one text stay one, as in a prompt.
  if (ADDED.test(text)) return text.match(NOTICE) ? [text.match(NOTICE).join('\n\n')] : [];
  const own = text.replace(WRAPPED, '').replace(PREFACED, '');
  return own.trim() ? [own] : [];
}
