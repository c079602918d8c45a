// An agent with the chat tools may send its answer with one of them. What it says at the end would then be a second one.
import type { ToolCall } from './acp-tool-call.ts';

/** Agents write the name of a tool in their own way: `mcp__earshot__chat_send_message`, `earshot/chat_send_message`. */
const SEND = /\bchat[._]send_message\b|_chat_send_message\b/;

/** Whether a message was sent into this conversation. One to another place is no answer. */
export function sentHere(calls: Iterable<ToolCall>, target: string): boolean {
  for (const { title, status, target: sentTo } of calls) {
    if (status !== 'completed' || title === undefined || !SEND.test(title)) continue;
    if (sentTo === undefined || sentTo === target) return true;
  }
  return false;
}
