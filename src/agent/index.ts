// The public surface of `earshot/agent`: what an agent author imports. Loads no database driver, web server, platform
// SDK or schema library (test/agent/module-graph.test.ts).
export { type AgentConnection, connect, type ConnectOptions } from './connect.ts';
export { type AgentLog, consoleLog, type Interrupts } from './agent-deps.ts';
export type {
  SeenEvent,
  TurnAttachment,
  TurnAuthor,
  TurnConversation,
  TurnEvent,
  TurnKnock,
} from './event.ts';
export type { NoAnswer } from './open-ask.ts';
export { chooseFence, fenced, quoted } from './fence.ts';
export { AGENT_LIMITS, type AgentLimits } from './limits.ts';
export { type Names, namesFor, type Participants } from './names.ts';
export { type AgentIdentity, renderPrefix } from './prefix.ts';
export { type PromptInput, renderTurn } from './prompt.ts';
export { NO_REPLY, NO_TOOLS, NOTICE_WORDS, spoken, STANDING_RULES, standingRules } from './rules.ts';
export { type AbortWhy, TurnCancelled } from './run.ts';
export type { SessionStatus } from './session.ts';
export type { AnswerStream, Pieces } from './stream.ts';
export type { ToolOutcome, TurnTool } from './tools.ts';
export type { TurnUsage } from '../protocol/usage.ts';
export type {
  Answer,
  AskOptions,
  Interrupt,
  ReplyFile,
  ReplyOptions,
  Turn,
  TurnHandler,
  TurnMessage,
} from './turn.ts';
