// A LangGraph agent in chat. It remembers each conversation and may use the chat tools.
//   npm install earshot @langchain/langgraph @langchain/openai @langchain/core
//   EARSHOT_URL=ws://127.0.0.1:7575/c2a EARSHOT_TOKEN=ear_a_… OPENAI_API_KEY=… node agent.ts
import { tool } from '@langchain/core/tools';
import { MemorySaver } from '@langchain/langgraph';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { ChatOpenAI } from '@langchain/openai';
import { connect, type TurnTool } from 'earshot/agent';

const { EARSHOT_URL: url, EARSHOT_TOKEN: token, MODEL: model = 'gpt-4o', OPENAI_BASE_URL: baseURL } = process.env;
// A call that fails fails its turn, and the host asks again after a while.
const llm = new ChatOpenAI({ model, maxRetries: 0, configuration: { baseURL } });
const checkpointer = new MemorySaver();
// The model's answer is the reply, so it needs no tool to send one.
const OFFERED = ['chat_react', 'chat_read_thread'];

const asTool = ({ name, description, inputSchema, call }: TurnTool) =>
  tool(async (args: unknown) => (await call(args)).text, { name, description, schema: inputSchema });

// The graph remembers what was said, so turns carry only what is new.
connect({ url, token, threadWindow: false }).onTurn(async (turn) => {
  const tools = turn.tools.filter(({ name }) => OFFERED.includes(name)).map(asTool);
  const graph = createReactAgent({ llm, tools, prompt: turn.system, checkpointer });
  const { messages } = await graph.invoke(
    { messages: [{ role: 'user', content: turn.user }] },
    { configurable: { thread_id: turn.conversation.target }, signal: turn.signal },
  );
  const last = messages.at(-1);
  const used = last?.usage_metadata;
  if (used) turn.usage({ inputTokens: used.input_tokens, outputTokens: used.output_tokens, source: 'reported' });
  return last?.text ?? '';
});
