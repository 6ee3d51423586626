// A model's answers in four protocols: each writer sends a start, pieces of text or a tool call, and an end.
// `send(event, data)`: data null is a comment that keeps the connection alive.

export function anthropic(send, { id, model }) {
  const event = (type, data = {}) => send(type, { type, ...data });
  const usage = { input_tokens: 10, output_tokens: 5 };
  const base = { id: `msg_${id}`, type: 'message', role: 'assistant', model, stop_sequence: null, usage };
  const stop = (call) => (call ? 'tool_use' : 'end_turn');
  const block = (content_block) => event('content_block_start', { index: 0, content_block });
  const delta = (change) => event('content_block_delta', { index: 0, delta: change });
  let open = false;
  return {
    start: () => event('message_start', { message: { ...base, content: [], stop_reason: null } }),
    text(text) {
      if (!text) return event('ping');
      if (!open) block({ type: 'text', text: '' });
      open = true;
      delta({ type: 'text_delta', text });
    },
    call({ name, args }) {
      block({ type: 'tool_use', id: `toolu_${id}`, name, input: {} });
      delta({ type: 'input_json_delta', partial_json: JSON.stringify(args) });
    },
    end(call) {
      event('content_block_stop', { index: 0 });
      event('message_delta', { delta: { stop_reason: stop(call), stop_sequence: null }, usage });
      event('message_stop');
    },
    whole: (text, call) => ({
      ...base,
      stop_reason: stop(call),
      content: [
        call
          ? { type: 'tool_use', id: `toolu_${id}`, name: call.name, input: call.args }
          : { type: 'text', text },
      ],
    }),
  };
}

export function responses(send, { id }) {
  const event = (type, data) => send(type, { type, ...data });
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
  const message = (content) => ({ type: 'message', role: 'assistant', id: `item_${id}`, content });
  const output = (text) => message([{ type: 'output_text', text, annotations: [] }]);
  const callItem = ({ name, args }) => ({
    type: 'function_call',
    id: `fc_${id}`,
    call_id: `call_${id}`,
    name,
    arguments: JSON.stringify(args),
  });
  let all = '';
  return {
    start: () => event('response.created', { response: { id } }),
    text(text) {
      if (!text) return send(null, null);
      if (!all) event('response.output_item.added', { output_index: 0, item: message([]) });
      all += text;
      event('response.output_text.delta', {
        item_id: `item_${id}`,
        output_index: 0,
        content_index: 0,
        delta: text,
      });
    },
    call: (call) => event('response.output_item.done', { output_index: 0, item: callItem(call) }),
    end(call) {
      if (!call) event('response.output_item.done', { output_index: 0, item: output(all) });
      event('response.completed', { response: { id, usage } });
    },
    whole: (text, call) => ({
      id,
      object: 'response',
      status: 'completed',
      output: [call ? callItem(call) : output(text)],
      usage,
    }),
  };
}

export function chat(send, { id, model }) {
  const base = { id, object: 'chat.completion.chunk', created: Math.floor(Date.now() / 1000), model };
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const toolCalls = ({ name, args }) => [
    { index: 0, id: `call_${id}`, type: 'function', function: { name, arguments: JSON.stringify(args) } },
  ];
  const finish = (call) => (call ? 'tool_calls' : 'stop');
  const choice = (delta, reason = null) =>
    send(null, { ...base, choices: [{ index: 0, delta, finish_reason: reason }] });
  return {
    start: () => choice({ role: 'assistant', content: '' }),
    text: (text) => (text ? choice({ content: text }) : send(null, null)),
    call: (call) => choice({ tool_calls: toolCalls(call) }),
    end(call) {
      choice({}, finish(call));
      send(null, { ...base, choices: [], usage });
      send(null, '[DONE]');
    },
    whole: (text, call) => {
      const message = { role: 'assistant', content: text, ...(call && { tool_calls: toolCalls(call) }) };
      const choices = [{ index: 0, message, finish_reason: finish(call) }];
      return { ...base, object: 'chat.completion', usage, choices };
    },
  };
}

export function gemini(send, { id }) {
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };
  const frame = (parts, finishReason) => ({
    modelVersion: 'stand-in',
    responseId: id,
    usageMetadata,
    candidates: [{ index: 0, content: { role: 'model', parts }, ...(finishReason && { finishReason }) }],
  });
  const callPart = ({ name, args }) => ({ functionCall: { name, args, id: `call_${id}` } });
  return {
    start() {},
    text: (text) => send(null, text ? frame([{ text }]) : null),
    call: (call) => send(null, frame([callPart(call)])),
    end: () => send(null, frame([{ text: '' }], 'STOP')),
    whole: (text, call) => frame([call ? callPart(call) : { text }], 'STOP'),
  };
}

export const WRITERS = { anthropic, responses, chat, gemini };
