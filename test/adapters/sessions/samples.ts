import type { ChatMessage } from '../../../src/core/messages/chat.ts';

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
  { role: 'tool', tool_call_id: 'call_2', content: 'nothing' },
  { role: 'assistant', content: 'Both are read.' },
];

const [ASKED, READ_FIRST, PENDING, NOTHING, BOTH] = [
  'Set STATUS in alpha.txt to done.',
  'I read both files first.',
  'STATUS: pending',
  'nothing',
  'Both are read.',
];

const lines = (...records: readonly object[]) => `${records.map((record) => JSON.stringify(record)).join('\n')}\n`;

const CLAUDE = { sessionId: 's1', cwd: '/work/app', isSidechain: false, version: '2.1.0', gitBranch: 'main' };
const answer = (id: string, block: object) => ({
  id,
  type: 'message',
  role: 'assistant',
  model: 'claude-opus-4-6',
  content: [block],
});
const gemini = (name: string, output: string, id: string) => ({ functionResponse: { id, name, response: { output } } });

const openCodeTool = (callID: string, input: object, state: object) => ({
  type: 'tool',
  tool: 'read',
  callID,
  state: { input, ...state },
});

/** The file of a session in the form of each agent, with what else such files have. */
export const SAMPLES: Readonly<Record<string, string>> = {
  claude: lines(
    { type: 'queue-operation', operation: 'enqueue', sessionId: 's1' },
    { ...CLAUDE, uuid: 'a', parentUuid: null, type: 'user', message: { role: 'user', content: ASKED } },
    { ...CLAUDE, uuid: 'p', parentUuid: 'a', type: 'progress', data: {} },
    {
      ...CLAUDE,
      uuid: 'b',
      parentUuid: 'p',
      type: 'assistant',
      message: answer('m1', { type: 'text', text: READ_FIRST }),
    },
    {
      ...CLAUDE,
      uuid: 'c',
      parentUuid: 'b',
      type: 'assistant',
      message: answer('m1', { type: 'tool_use', id: 'call_1', name: 'read', input: { path: 'alpha.txt' } }),
    },
    {
      ...CLAUDE,
      uuid: 'd',
      parentUuid: 'c',
      type: 'user',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: PENDING }] },
    },
    {
      ...CLAUDE,
      uuid: 'x',
      parentUuid: null,
      type: 'user',
      isSidechain: true,
      message: { role: 'user', content: 'A sub-agent is asked.' },
    },
    {
      ...CLAUDE,
      uuid: 'e',
      parentUuid: 'c',
      type: 'assistant',
      message: answer('m1', { type: 'tool_use', id: 'call_2', name: 'read', input: { path: 'beta.txt' } }),
    },
    {
      ...CLAUDE,
      uuid: 'f',
      parentUuid: 'e',
      type: 'user',
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'call_2', content: [{ type: 'text', text: NOTHING }] }],
      },
    },
    { ...CLAUDE, uuid: 'r', parentUuid: 'd', type: 'user', message: { role: 'user', content: 'This was rewound.' } },
    { ...CLAUDE, uuid: 'g', parentUuid: 'f', type: 'assistant', message: answer('m2', { type: 'text', text: BOTH }) },
    {
      ...CLAUDE,
      uuid: 'h',
      parentUuid: 'g',
      type: 'assistant',
      isApiErrorMessage: true,
      message: { ...answer('m3', { type: 'text', text: 'Prompt is too long' }), model: '<synthetic>' },
    },
  ),
  codex: lines(
    { timestamp: 't', type: 'session_meta', payload: { id: 's1', cwd: '/work/app', model_provider: 'openai' } },
    { timestamp: 't', type: 'turn_context', payload: { model: 'gpt-5.1-codex' } },
    {
      timestamp: 't',
      type: 'response_item',
      payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: ASKED }] },
    },
    { timestamp: 't', type: 'event_msg', payload: { type: 'user_message', message: ASKED } },
    {
      timestamp: 't',
      type: 'response_item',
      payload: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: READ_FIRST }] },
    },
    {
      timestamp: 't',
      type: 'response_item',
      payload: { type: 'function_call', name: 'read', arguments: '{"path":"alpha.txt"}', call_id: 'call_1' },
    },
    {
      timestamp: 't',
      type: 'response_item',
      payload: { type: 'function_call', name: 'read', arguments: '{"path":"beta.txt"}', call_id: 'call_2' },
    },
    {
      timestamp: 't',
      type: 'response_item',
      payload: { type: 'function_call_output', call_id: 'call_1', output: PENDING },
    },
    {
      timestamp: 't',
      type: 'response_item',
      payload: { type: 'function_call_output', call_id: 'call_2', output: NOTHING },
    },
    { timestamp: 't', type: 'event_msg', payload: { type: 'token_count', info: { model_context_window: 258_400 } } },
    {
      timestamp: 't',
      type: 'response_item',
      payload: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: BOTH }] },
    },
  ),
  pi: lines(
    { type: 'session', version: 3, id: 's1', cwd: '/work/app' },
    { type: 'model_change', id: '1', parentId: null, provider: 'anthropic', modelId: 'claude-opus-4-5' },
    { type: 'message', id: '2', parentId: '1', message: { role: 'user', content: [{ type: 'text', text: ASKED }] } },
    {
      type: 'message',
      id: '9',
      parentId: '2',
      message: { role: 'user', content: [{ type: 'text', text: 'Another branch.' }] },
    },
    {
      type: 'message',
      id: '3',
      parentId: '2',
      message: {
        role: 'assistant',
        content: [
          { type: 'text', text: READ_FIRST },
          { type: 'toolCall', id: 'call_1', name: 'read', arguments: { path: 'alpha.txt' } },
          { type: 'toolCall', id: 'call_2', name: 'read', arguments: { path: 'beta.txt' } },
        ],
      },
    },
    {
      type: 'message',
      id: '4',
      parentId: '3',
      message: { role: 'toolResult', toolCallId: 'call_1', content: [{ type: 'text', text: PENDING }] },
    },
    {
      type: 'message',
      id: '5',
      parentId: '4',
      message: { role: 'toolResult', toolCallId: 'call_2', content: [{ type: 'text', text: NOTHING }] },
    },
    {
      type: 'message',
      id: '6',
      parentId: '5',
      message: { role: 'assistant', content: [{ type: 'text', text: BOTH }] },
    },
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
    { uuid: 'a', sessionId: 's1', cwd: '/work/app', type: 'user', message: { role: 'user', parts: [{ text: ASKED }] } },
    { uuid: 'b', sessionId: 's1', type: 'system', subtype: 'ui_telemetry', systemPayload: {} },
    {
      uuid: 'c',
      sessionId: 's1',
      type: 'assistant',
      model: 'qwen3-coder',
      message: {
        role: 'model',
        parts: [
          { text: READ_FIRST },
          { functionCall: { id: 'call_1', name: 'read', args: { path: 'alpha.txt' } } },
          { functionCall: { id: 'call_2', name: 'read', args: { path: 'beta.txt' } } },
        ],
      },
    },
    {
      uuid: 'd',
      sessionId: 's1',
      type: 'tool_result',
      message: { role: 'user', parts: [gemini('read', PENDING, 'call_1')] },
    },
    {
      uuid: 'e',
      sessionId: 's1',
      type: 'tool_result',
      message: { role: 'user', parts: [gemini('read', NOTHING, 'call_2')] },
    },
    { uuid: 'f', sessionId: 's1', type: 'assistant', message: { role: 'model', parts: [{ text: BOTH }] } },
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
          content: [
            { type: 'text', text: READ_FIRST },
            { type: 'tool_use', id: 'call_1', name: 'read', input: { path: 'alpha.txt' } },
            { type: 'tool_use', id: 'call_2', name: 'read', input: { path: 'beta.txt' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call_1', content: [{ query: 'alpha.txt', result: PENDING }] },
            { type: 'tool_result', tool_use_id: 'call_2', content: NOTHING },
          ],
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
          openCodeTool('call_1', { path: 'alpha.txt' }, { status: 'completed', output: PENDING }),
          openCodeTool('call_2', { path: 'beta.txt' }, { status: 'error', error: NOTHING }),
          { type: 'step-finish' },
        ],
      },
      { info: { id: 'msg_3', role: 'assistant' }, parts: [{ type: 'text', text: BOTH }] },
      { info: { id: 'msg_4', role: 'assistant', error: { name: 'ContextOverflowError' } }, parts: [] },
    ],
  }),
  openai: JSON.stringify({ model: 'gpt-5', messages: SAID }),
};
