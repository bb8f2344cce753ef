import type { ChatMessage } from '../../../src/core/chat/wire.ts';

/** What every sample says. */
export const SAID: readonly ChatMessage[] = [
  { role: 'user', content: 'Set STATUS in alpha.txt to done.' },
  {
    role: 'assistant',
    content: 'I read both files first.',
    tool_calls: [
      { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"path":"alpha.txt"}' } },
      { id: 'call_2', type: 'function', function: { name: 'read', arguments: '{"path":"beta.txt"}' } },
    ],
  },
  { role: 'tool', tool_call_id: 'call_1', content: 'STATUS: pending' },
  { role: 'tool', tool_call_id: 'call_2', content: 'no\u2028thing' },
  { role: 'assistant', content: 'Both are read.' },
];

const [ASKED, READ_FIRST, PENDING, NOTHING, BOTH] = [
  'Set STATUS in alpha.txt to done.',
  'I read both files first.',
  'STATUS: pending',
  'no\u2028thing',
  'Both are read.',
];

const lines = (...records: readonly object[]) => `${records.map((record) => JSON.stringify(record)).join('\n')}\n`;

const CLAUDE = { sessionId: 's1', cwd: '/work/app', isSidechain: false, version: '2.1.0', gitBranch: 'main' };
const claude = (type: string, uuid: string, parentUuid: string | null, message: object) => {
  return { ...CLAUDE, uuid, parentUuid, type, message };
};
const answer = (id: string, block: object, model = 'claude-opus-4-6') => {
  return { id, type: 'message', role: 'assistant', model, content: [block] };
};
const use = (id: string, path: string) => ({ type: 'tool_use', id, name: 'read', input: { path } });
const result = (tool_use_id: string, content: unknown) => ({ type: 'tool_result', tool_use_id, content });
const codex = (payload: object) => ({ timestamp: 't', type: 'response_item', payload });
const pi = (id: string, parentId: string, message: object) => ({ type: 'message', id, parentId, message });
const gemini = (name: string, output: string, id: string) => ({ functionResponse: { id, name, response: { output } } });
const qwen = (uuid: string, type: string, role: string, parts: readonly object[]) => {
  return { uuid, sessionId: 's1', type, message: { role, parts } };
};
const openCodeTool = (callID: string, path: string, state: object) => {
  return { type: 'tool', tool: 'read', callID, state: { input: { path }, ...state } };
};

/** The file of a session in the form of each agent, with what else such files have. */
export const SAMPLES: Readonly<Record<string, string>> = {
  claude: lines(
    { type: 'queue-operation', operation: 'enqueue', sessionId: 's1' },
    claude('user', 'a', null, { role: 'user', content: ASKED }),
    { ...CLAUDE, uuid: 'p', parentUuid: 'a', type: 'progress', data: {} },
    claude('assistant', 'b', 'p', answer('m1', { type: 'text', text: READ_FIRST })),
    claude('assistant', 'c', 'b', answer('m1', use('call_1', 'alpha.txt'))),
    claude('user', 'd', 'c', { role: 'user', content: [result('call_1', PENDING)] }),
    { ...claude('user', 'x', null, { role: 'user', content: 'A sub-agent is asked.' }), isSidechain: true },
    claude('assistant', 'e', 'c', answer('m1', use('call_2', 'beta.txt'))),
    claude('user', 'f', 'e', { role: 'user', content: [result('call_2', [{ type: 'text', text: NOTHING }])] }),
    claude('user', 'r', 'd', { role: 'user', content: 'This was rewound.' }),
    claude('assistant', 'g', 'f', answer('m2', { type: 'text', text: BOTH })),
    {
      ...claude('assistant', 'h', 'g', answer('m3', { type: 'text', text: 'Prompt is too long' }, '<synthetic>')),
      isApiErrorMessage: true,
    },
  ),
  codex: lines(
    { timestamp: 't', type: 'session_meta', payload: { id: 's1', cwd: '/work/app', model_provider: 'openai' } },
    { timestamp: 't', type: 'turn_context', payload: { model: 'gpt-5.1-codex' } },
    codex({ type: 'message', role: 'user', content: [{ type: 'input_text', text: ASKED }] }),
    { timestamp: 't', type: 'event_msg', payload: { type: 'user_message', message: ASKED } },
    codex({ type: 'reasoning', summary: [] }),
    { timestamp: 't', type: 'event_msg', payload: { type: 'token_count', info: null } },
    codex({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: READ_FIRST }] }),
    codex({ type: 'function_call', name: 'read', arguments: '{"path":"alpha.txt"}', call_id: 'call_1' }),
    codex({ type: 'function_call', name: 'read', arguments: '{"path":"beta.txt"}', call_id: 'call_2' }),
    codex({ type: 'function_call_output', call_id: 'call_1', output: PENDING }),
    codex({ type: 'function_call_output', call_id: 'call_2', output: NOTHING }),
    { timestamp: 't', type: 'event_msg', payload: { type: 'token_count', info: { model_context_window: 258_400 } } },
    codex({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: BOTH }] }),
  ),
  pi: lines(
    { type: 'session', version: 3, id: 's1', cwd: '/work/app' },
    { type: 'model_change', id: '1', parentId: null, provider: 'anthropic', modelId: 'claude-opus-4-5' },
    pi('2', '1', { role: 'user', content: [{ type: 'text', text: ASKED }] }),
    pi('9', '2', { role: 'user', content: [{ type: 'text', text: 'Another branch.' }] }),
    pi('3', '2', {
      role: 'assistant',
      content: [
        { type: 'text', text: READ_FIRST },
        { type: 'toolCall', id: 'call_1', name: 'read', arguments: { path: 'alpha.txt' } },
        { type: 'toolCall', id: 'call_2', name: 'read', arguments: { path: 'beta.txt' } },
      ],
    }),
    pi('4', '3', { role: 'toolResult', toolCallId: 'call_1', content: [{ type: 'text', text: PENDING }] }),
    pi('5', '4', { role: 'toolResult', toolCallId: 'call_2', content: [{ type: 'text', text: NOTHING }] }),
    pi('6', '5', { role: 'assistant', content: [{ type: 'text', text: BOTH }] }),
  ),
  gemini: lines(
    { sessionId: 's1', projectHash: 'h', kind: 'main' },
    { $set: { messages: [{ id: 'u', type: 'user', content: [{ text: ASKED }] }] } },
    { id: 'g', type: 'gemini', content: READ_FIRST },
    {
      id: 'g',
      type: 'gemini',
      content: READ_FIRST,
      model: 'gemini-2.5-pro',
      toolCalls: [
        { id: 'call_1', name: 'read', args: { path: 'alpha.txt' }, result: [gemini('read', PENDING, 'call_1')] },
        { id: 'call_2', name: 'read', args: { path: 'beta.txt' }, result: [gemini('read', NOTHING, 'call_2')] },
      ],
    },
    { id: 'v', type: 'user', content: [gemini('read', PENDING, 'call_1'), gemini('read', NOTHING, 'call_2')] },
    { id: 'w', type: 'gemini', content: BOTH },
  ),
  qwen: lines(
    { ...qwen('a', 'user', 'user', [{ text: ASKED }]), cwd: '/work/app' },
    { uuid: 'b', sessionId: 's1', type: 'system', subtype: 'ui_telemetry', systemPayload: {} },
    {
      ...qwen('c', 'assistant', 'model', [
        { text: READ_FIRST },
        { functionCall: { id: 'call_1', name: 'read', args: { path: 'alpha.txt' } } },
        { functionCall: { id: 'call_2', name: 'read', args: { path: 'beta.txt' } } },
      ]),
      model: 'qwen3-coder',
    },
    qwen('d', 'tool_result', 'user', [gemini('read', PENDING, 'call_1')]),
    qwen('e', 'tool_result', 'user', [gemini('read', NOTHING, 'call_2')]),
    qwen('f', 'assistant', 'model', [{ text: BOTH }]),
  ),
  copilot: lines(
    { type: 'session.start', data: { sessionId: 's1', selectedModel: 'gpt-5', context: { cwd: '/work/app' } } },
    { type: 'user.message', data: { content: ASKED } },
    {
      type: 'assistant.message',
      data: {
        content: READ_FIRST,
        toolRequests: [
          { toolCallId: 'call_1', name: 'read', arguments: { path: 'alpha.txt' } },
          { toolCallId: 'call_2', name: 'read', arguments: { path: 'beta.txt' } },
        ],
      },
    },
    { type: 'tool.execution_complete', data: { toolCallId: 'call_1', success: true, result: { content: PENDING } } },
    { type: 'tool.execution_complete', data: { toolCallId: 'call_2', success: false, error: { message: NOTHING } } },
    { type: 'session.compaction_start', data: {} },
    { type: 'assistant.message', data: { content: BOTH } },
  ),
  continue: JSON.stringify({
    sessionId: 's1',
    workspaceDirectory: '/work/app',
    history: [
      { message: { role: 'user', content: ASKED } },
      {
        message: { role: 'assistant', content: READ_FIRST, toolCalls: SAID[1]?.tool_calls },
        toolCallStates: [
          { toolCallId: 'call_1', output: [{ content: PENDING }] },
          { toolCallId: 'call_2', output: [{ content: NOTHING }] },
        ],
      },
      { message: { role: 'assistant', content: BOTH } },
    ],
  }),
  cline: JSON.stringify(
    {
      version: 1,
      sessionId: 's1',
      messages: [
        { role: 'user', content: [{ type: 'text', text: ASKED }] },
        {
          role: 'assistant',
          content: [{ type: 'text', text: READ_FIRST }, use('call_1', 'alpha.txt'), use('call_2', 'beta.txt')],
        },
        {
          role: 'user',
          content: [result('call_1', [{ query: 'alpha.txt', result: PENDING }]), result('call_2', NOTHING)],
        },
        { role: 'assistant', content: [{ type: 'text', text: BOTH }] },
      ],
    },
    undefined,
    1,
  ),
  opencode: JSON.stringify({
    info: { id: 'ses_1', title: 'Alpha', directory: '/work/app', model: { id: 'scripted', providerID: 'karl' } },
    messages: [
      { info: { id: 'msg_1', role: 'user' }, parts: [{ type: 'text', text: ASKED }] },
      {
        info: { id: 'msg_2', role: 'assistant' },
        parts: [
          { type: 'step-start' },
          { type: 'text', text: READ_FIRST },
          openCodeTool('call_1', 'alpha.txt', { status: 'completed', output: PENDING }),
          openCodeTool('call_2', 'beta.txt', { status: 'error', error: NOTHING }),
          { type: 'step-finish' },
        ],
      },
      { info: { id: 'msg_3', role: 'assistant' }, parts: [{ type: 'text', text: BOTH }] },
      { info: { id: 'msg_4', role: 'assistant', error: { name: 'ContextOverflowError' } }, parts: [] },
    ],
  }),
  openai: JSON.stringify({ model: 'gpt-5', messages: SAID }),
};
