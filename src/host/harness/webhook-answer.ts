// The answer in a webhook's response: `{"reply": "…"}` (with `attachments`, if it has files), `{"react": "done"}`, `{"claim": true}` or `{"silent": true}`.
// The host makes the matching tool call for the agent. Its key is derived from the delivery, so a repeated answer is
// still one message. Any other body is only an acknowledgement.
import { z } from 'zod';
import { deliveryKey } from '../../protocol/identity.ts';
import type { ToolName } from '../../protocol/tool-name.ts';
import { readParams } from '../../protocol/read-params.ts';
import { sentFilesSchema } from '../../protocol/sent-files.ts';
import { spoken } from '../../protocol/silence.ts';
import { refusalOf } from '../../protocol/tool.ts';
import { CONVERSATION_KINDS, SIGNALS } from '../../protocol/vocabulary.ts';
import { wireId, WIRE_LIMITS } from '../../protocol/wire-fields.ts';
import type { Host } from '../host.ts';
import { callTool } from '../tools/call.ts';

const answerSchema = z.union([
  z.strictObject({ reply: z.string(), attachments: sentFilesSchema.optional() }),
  z.strictObject({ react: z.enum(SIGNALS) }),
  z.strictObject({ claim: z.literal(true) }),
  z.strictObject({ silent: z.literal(true) }),
]);
export type WebhookAnswer = z.infer<typeof answerSchema>;

export type ReadAnswer =
  | { type: 'answer'; answer: WebhookAnswer }
  | { type: 'none' }
  | { type: 'unreadable'; problem: string };

const WORDS = ['reply', 'react', 'claim', 'silent'] as const;

export function readAnswer(body: string): ReadAnswer {
  const value = objectIn(body);
  if (value === undefined || !WORDS.some((word) => word in value)) return { type: 'none' };
  // Other members of the object are ignored.
  const words = 'reply' in value ? [...WORDS, 'attachments'] : WORDS;
  const own = Object.fromEntries(words.flatMap((word) => (word in value ? [[word, value[word]]] : [])));
  const read = answerSchema.safeParse(own);
  if (read.success) return { type: 'answer', answer: read.data };
  const files = 'attachments' in own ? readParams(sentFilesSchema, own['attachments']) : undefined;
  if (files?.ok === false) return { type: 'unreadable', problem: `attachments: ${files.error.message}` };
  const signals = SIGNALS.join(', ');
  const problem = `answer with one of {"reply": text}, {"react": signal}, {"claim": true}, {"silent": true}; signals: ${signals}`;
  return { type: 'unreadable', problem };
}

function objectIn(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const ATTEMPTS = 5;
const RETRY_MS = 500;

/** Never rejects. A failure is logged; the delivery stays open, and its deadline asks again. */
export async function performAnswer(
  host: Host,
  agent: string,
  delivered: unknown,
  answer: WebhookAnswer,
): Promise<void> {
  const { log, store } = host.context;
  const read = deliveredSchema.safeParse(delivered);
  if (!read.success) return;
  const { eventId } = read.data;
  const key = deliveryKey(eventId, agent);
  try {
    const row = await store.get('delivery', key);
    // It was withdrawn while the webhook was answering.
    if (row === undefined || row.state === 'superseded')
      return log.info({ agent, event: eventId }, 'an answer came too late and was dropped');
    if ('silent' in answer || ('reply' in answer && spoken(answer.reply) === undefined))
      return await endSilently(host, agent, eventId, row.attempt);
    await callWithRetries(host, agent, ...callFor(answer, read.data, key));
  } catch (error) {
    log.error({ err: error, agent, event: eventId }, 'an answer could not be carried out');
  }
}

const deliveredSchema = z.object({
  eventId: wireId,
  conversation: z.object({ id: wireId, kind: z.enum(CONVERSATION_KINDS), threadId: wireId.optional() }),
});
type Delivered = z.infer<typeof deliveredSchema>;

function callFor(
  answer: Exclude<WebhookAnswer, { silent: true }>,
  { eventId, conversation: { id, kind, threadId } }: Delivered,
  key: string,
): [name: ToolName, args: object] {
  if ('react' in answer) return ['chat.react', { inReplyTo: eventId, signal: answer.react }];
  if ('claim' in answer) return ['chat.claim', { inReplyTo: eventId }];
  const place = threadId === undefined ? kind : 'thread';
  return [
    'chat.send_message',
    {
      target: `${place}:${threadId ?? id}`,
      text: answer.reply,
      inReplyTo: eventId,
      visibility: place === 'dm' || place === 'thread' ? place : 'channel',
      // The answer is for the author of the event.
      directedness: 'to_me',
      idempotencyKey: `webhook:${key}`,
      ...(answer.attachments !== undefined && { attachments: answer.attachments }),
    },
  ];
}

/** Reports a silent turn: may_respond is settled by it, must_respond is asked again with a reminder. */
async function endSilently(host: Host, agent: string, eventId: string, attempt: number): Promise<void> {
  const { turns } = host.sessionDeps;
  const turnId = `webhook:${eventId}:${attempt}`.slice(-WIRE_LIMITS.idChars);
  await turns.start(agent, turnId, [eventId]);
  await turns.end(agent, turnId, 'silent');
}

async function callWithRetries(host: Host, agent: string, name: ToolName, args: object): Promise<void> {
  const { clock, log } = host.context;
  for (let attempt = 1; ; attempt++) {
    const result = await callTool(name, args, host.toolCaller(agent));
    const error = refusalOf(result);
    const { notWoken } = result.structuredContent ?? {};
    if (notWoken !== undefined)
      log.info({ agent, notWoken }, 'the answer of a webhook woke nobody, because the loop guard stopped it');
    // Another answer under this key was sent before, and that one counts.
    if (error === undefined || error.data.name === 'duplicate_key_other_body') return;
    if (!error.data.retryable || attempt >= ATTEMPTS)
      return log.warn({ agent, tool: name, why: error.message }, 'the answer of a webhook was refused');
    await new Promise<void>((resolve) => {
      clock.after(RETRY_MS * 2 ** (attempt - 1), resolve);
    });
  }
}
