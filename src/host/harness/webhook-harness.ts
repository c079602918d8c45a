// Webhook harnesses: each delivery is one signed POST of the JSON-RPC request `chat/deliver`. A 2xx acknowledges it,
// and its body may hold the answer (webhook-answer.ts). To the deliver step a webhook is a link like any other, so the
// lane keeps order, window and back-off. When a harness of the same agent connects, it takes over; when it
// disconnects, the webhook takes over again. Of several nodes the one with the agent's lease posts.
import { isDeepStrictEqual } from 'node:util';
import { type Agreement, negotiate } from '../../protocol/initialize.ts';
import { encodeNotification, encodeRequest, type RpcParams } from '../../protocol/jsonrpc.ts';
import { deliveryKey } from '../../protocol/identity.ts';
import { TRANSPORT_LIMITS } from '../../transport/transport.ts';
import { postWebhook, WEBHOOK_LIMITS, type WebhookOutcome } from '../../transport/webhook.ts';
import type { Host } from '../host.ts';
import { agentIdentity } from '../kernel/context.ts';
import { webhookLease } from '../kernel/leases.ts';
import { type Link, type LinkAnswer, takeOver } from '../session/session-row.ts';
import type { HostSettings } from '../kernel/settings.ts';
import { performAnswer, type ReadAnswer, readAnswer } from './webhook-answer.ts';

/** An answer may bring files, so it may be as large as a frame. */
const ANSWER_BYTES = TRANSPORT_LIMITS.frameBytes;

type WebhookSettings = HostSettings['webhooks'][number];
type Post = (
  id: string,
  body: string,
  timing: { timeoutMs: number; signal?: AbortSignal },
) => Promise<WebhookOutcome>;

export async function startWebhooks(host: Host, fetchIt?: typeof fetch): Promise<{ stop: () => void }> {
  const { bus, log, wall: clock } = host.context;
  const open = new Map<string, { link: Link; webhook: WebhookSettings }>();
  const { nodes } = host.context.store;
  const leased = new Set<string>();
  let stopped = false;
  const attach = async (webhook: WebhookSettings): Promise<void> => {
    const { agent, url, secret } = webhook;
    const opened = await takeOver(host.context, agent, AGREEMENT, [], () => stopped);
    if (opened === undefined || stopped) return;
    const { epoch } = opened;
    const fetching = fetchIt === undefined ? {} : { fetch: fetchIt };
    const post: Post = (id, body, timing) =>
      postWebhook({ url, secret, id, body, clock, answerBytes: ANSWER_BYTES, ...timing, ...fetching });
    const link = webhookLink(host, agent, epoch, post);
    open.set(agent, { link, webhook });
    await host.courier.attach(link, new Set());
  };
  /** Webhooks that are gone or changed are closed. A closed one that is still wanted is attached again, as set now. */
  const follow = async (): Promise<void> => {
    const wanted = host.context.settings.webhooks;
    for (const [agent, { link, webhook }] of open) {
      if (wanted.some((one) => one.agent === agent && isDeepStrictEqual(one, webhook))) continue;
      close(agent, link);
    }
    for (const agent of leased) {
      if (wanted.some((one) => one.agent === agent)) continue;
      leased.delete(agent);
      await nodes.giveUp(webhookLease(agent));
    }
    for (const webhook of wanted) {
      if (!leased.has(webhook.agent)) await want(webhook.agent);
      else if (!open.has(webhook.agent) && nodes.holds(webhookLease(webhook.agent))) await attach(webhook);
    }
  };
  const close = (agent: string, link: Link): void => {
    open.delete(agent);
    link.close('going_away');
    host.courier.detach(link);
  };
  const want = (agent: string): Promise<void> => {
    leased.add(agent);
    return nodes.want(webhookLease(agent), {
      async gained() {
        const webhook = host.context.settings.webhooks.find((one) => one.agent === agent);
        if (webhook !== undefined && !host.courier.connected(agent)) await attach(webhook);
      },
      lost() {
        const one = open.get(agent);
        if (one !== undefined) close(agent, one.link);
      },
    });
  };
  const unlisten = bus.listen((news) => {
    if (news.type === 'settings' && !stopped)
      return void follow().catch((error: unknown) =>
        log.error({ err: error }, 'webhooks were not taken over'),
      );
    if (news.type !== 'session' || news.connected || stopped) return;
    const webhook = host.context.settings.webhooks.find(({ agent }) => agent === news.agent);
    if (webhook === undefined || host.courier.connected(webhook.agent)) return;
    if (!nodes.holds(webhookLease(webhook.agent))) return;
    attach(webhook).catch((error: unknown) =>
      log.error({ err: error, agent: news.agent }, 'a webhook could not be taken up again'),
    );
  });
  await follow();
  return {
    stop() {
      stopped = true;
      unlisten();
      for (const { link } of open.values()) {
        link.close('going_away');
        host.courier.detach(link);
      }
      for (const agent of leased) void nodes.giveUp(webhookLease(agent));
    },
  };
}

/** The full envelope, with the idempotency key and the attempt. The host composes fragments. */
const AGREEMENT: Agreement = fullEnvelope();

function fullEnvelope(): Agreement {
  const outcome = negotiate({
    protocolVersion: '2026-06-02',
    capabilities: { injection: { immediate: true, notify: true, tool_mailbox: true, digest: true } },
  });
  if (!outcome.ok) throw new Error('the full envelope is always spoken');
  return outcome.agreement;
}

const NOTIFY_MS = 5_000;
/** How long a response may take, because a model may write it. Whoever needs longer responds 202 and calls a tool. */
export const ANSWER_MS = 120_000;

function webhookLink(host: Host, agent: string, epoch: number, post: Post): Link {
  const closing = new AbortController();
  const { signal } = closing;
  const { gate } = host.context;
  /** Notices under way. A delivery waits for them: that its forerunner is cancelled is said first. */
  let noticed: Promise<unknown> = Promise.resolve();
  return {
    agent,
    epoch,
    agreement: AGREEMENT,
    keepsSessions: false,
    async request(method, params, { timeoutMs, onSent }) {
      const id = idOf(gate.out(params), agent);
      onSent(id);
      const told = { ...(params as object), ...(await introduction(host, agent, params)) };
      const body = encodeRequest(id, method, gate.out(told));
      await noticed;
      const done = showWork(host, agent, params);
      const outcome = await post(id, body, { timeoutMs: Math.max(timeoutMs, ANSWER_MS), signal });
      done(outcome);
      // A session has taken over meanwhile. It was handed this delivery too, so this response does not count.
      if (signal.aborted) return { type: 'closed' };
      host.presence.posted(agent, outcome.kind === 'delivered' || outcome.kind === 'refused');
      if (outcome.kind === 'delivered') performLater(host, agent, params, outcome);
      return answerOf(outcome);
    },
    // Notifications are best effort. What they say is in the store too.
    notify: (method, params) => {
      const id = `${method}:${idOf(gate.out(params), agent)}`;
      const told = post(id, encodeNotification(method, gate.out(params) as RpcParams), {
        timeoutMs: NOTIFY_MS,
      });
      noticed = Promise.allSettled([noticed, told]);
      return true;
    },
    close: () => closing.abort(),
  };
}

/**
 * Who the agent is and who is there. A session hears it when it begins and with each turn; a webhook has neither. A knock
 * and a digest name nobody who is not part of them.
 */
async function introduction(host: Host, agent: string, params: unknown): Promise<object> {
  const self = { agent: `agent:${agent}`, identity: agentIdentity(host.context, agent) };
  const { eventId, injection } = (params ?? {}) as { eventId?: unknown; injection?: { mode?: unknown } };
  if (typeof eventId !== 'string' || injection?.mode === 'notify' || injection?.mode === 'digest')
    return self;
  const row = await host.context.store.get('delivery', deliveryKey(eventId, agent));
  if (row === undefined) return self;
  return { ...self, ...(await host.participants(agent, row.conversation)) };
}

/** People see that the agent is at work. What it must answer and has taken, until it has: its answer may come later. */
function showWork(host: Host, agent: string, params: unknown): (outcome: WebhookOutcome) => void {
  const { eventId, attention } = (params ?? {}) as { eventId?: unknown; attention?: { policy?: unknown } };
  const mayAnswer = attention?.policy === 'must_respond' || attention?.policy === 'may_respond';
  if (typeof eventId !== 'string' || !mayAnswer) return () => undefined;
  const key = deliveryKey(eventId, agent);
  let answered = false;
  host.context.store.get('delivery', key).then(
    (row) => {
      if (row !== undefined && !answered) host.working.begin(row, ANSWER_MS);
    },
    (error: unknown) => host.context.log.warn({ err: error, agent }, 'a working sign could not be shown'),
  );
  return (outcome) => {
    if (outcome.kind === 'delivered' && attention?.policy === 'must_respond') return;
    answered = true;
    host.working.end(key);
  };
}

type Delivered = Extract<WebhookOutcome, { kind: 'delivered' }>;

/** Performs the answer after the acknowledgement, because that first ends the fragments merged into the delivery. */
function performLater(host: Host, agent: string, params: unknown, { status, body }: Delivered): void {
  const { clock, log } = host.context;
  if (status === 202) return; // the harness answers later by a call of its own
  const read: ReadAnswer = body === undefined ? { type: 'unreadable', problem: TOO_LARGE } : readAnswer(body);
  if (read.type === 'unreadable') log.warn({ agent, problem: read.problem }, 'a webhook answered unreadably');
  if (read.type === 'answer') clock.after(0, () => void performAnswer(host, agent, params, read.answer));
}

const TOO_LARGE = `the answer broke off or was larger than ${WEBHOOK_LIMITS.answerBytes} bytes`;

/** The header `webhook-id`. It is the same on every attempt, so that the receiver can recognise a repeat. */
function idOf(params: unknown, agent: string): string {
  const { eventId } = (params ?? {}) as { eventId?: unknown };
  return encodeURIComponent(
    deliveryKey(typeof eventId === 'string' ? eventId : 'none', agent).toWellFormed(),
  );
}

function answerOf(outcome: WebhookOutcome): LinkAnswer {
  switch (outcome.kind) {
    case 'delivered':
      return { type: 'result', result: {} };
    case 'retry':
      return {
        type: 'error',
        message: outcome.problem,
        retryable: true,
        retryAfterMs: outcome.afterMs,
      };
    case 'refused':
      return { type: 'error', message: outcome.problem, retryable: false };
    case 'unknown':
      return { type: 'timeout' };
  }
}
