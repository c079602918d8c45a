// A program asks the people in chat before it does something. The argument and result names are those of the
// permission-prompt tool of Claude Code, so that it can call this tool as it is.
import { z } from 'zod';
import { EVENT_LIMITS } from './chat-event.ts';
import { inReplyTo } from './tool-fields.ts';
import { tool } from './tool.ts';
import { identitySchema, wireId } from './wire-fields.ts';

const toolInput = z.record(z.string(), z.unknown());

export const PERMISSION_TOOLS = {
  'chat.ask_permission': tool({
    description:
      'Ask the people in chat, where the turn was asked, whether a tool may be used, and wait for their yes or no. For programs that ask before they act; a model need not call it.',
    idempotent: false,
    input: {
      tool_name: z.string().min(1).max(EVENT_LIMITS.nameChars).describe('The tool to be used.'),
      input: toolInput.describe('Its arguments.'),
      tool_use_id: wireId.optional().describe("The program's id of the call."),
      inReplyTo: inReplyTo
        .optional()
        .describe("The event whose turn asks. Without it: the agent's only running turn."),
      approver: identitySchema
        .optional()
        .describe('Who decides. Without it: the person who wrote that event.'),
      turnId: wireId.optional(),
    },
    result: z.object({
      behavior: z.enum(['allow', 'deny']).describe('What the person decided.'),
      updatedInput: toolInput.optional().describe('With allow: the arguments as they were asked for.'),
      message: z.string().optional().describe('With deny: what the person said, for the model.'),
    }),
  }),
};
