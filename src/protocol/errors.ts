// Every error that crosses the wire, as one closed table: name, code, whether to try again, and a message that says
// what to do next, because the reader is often a model. Errors that never leave the process are not here. It does not
// import zod, because the agent SDK reads and raises these errors.
import { printableLine } from './identity.ts';

/** As JSON-RPC carries it; `data.name` is what code switches on. */
export interface WireError {
  code: number;
  message: string;
  data: WireErrorData;
}
export interface WireErrorData {
  name: WireErrorName;
  retryable: boolean;
  [detail: string]: unknown;
}

/** Values named in the message's braces are required. More details may be given in `data`. */
export function wireError<N extends WireErrorName>(name: N, ...[details]: DetailsArgument<N>): WireError {
  const { code, retryable, message } = WIRE_ERRORS[name];
  const values: Readonly<Record<string, unknown>> = details ?? {};
  return { code, message: fill(message, values), data: { ...values, name, retryable } };
}

export const WIRE_ERRORS = {
  // JSON-RPC's own
  parse_error: row(-32700, false, 'Not JSON in UTF-8: {problem}. Send one JSON-RPC 2.0 message per frame.'),
  invalid_request: row(-32600, false, 'Not a JSON-RPC 2.0 message: {problem}.'),
  unknown_method: row(-32601, false, 'There is no method "{method}". Call one of: {supported}.'),
  invalid_params: row(-32602, false, '{problem}. Correct the arguments and call again.'),
  internal: row(
    -32603,
    true,
    'The host failed while doing this. Call again with the same arguments and idempotencyKey.',
  ),
  // the session
  not_initialized: row(-32000, false, 'Send "initialize" first, then call again.'),
  unsupported_version: row(
    -32001,
    false,
    'Version "{requested}" is not spoken here. Initialize again with one of: {supported}.',
  ),
  not_negotiated: row(
    -32005,
    false,
    'You did not agree to {what} when you initialized. Initialize with that capability, or do without it.',
  ),
  unauthorized: row(-32002, false, 'The token is missing or not valid. Connect again with a valid token.'),
  forbidden: row(
    -32003,
    false,
    'You may not do this: {permission} is not granted to you here. Ask a person to grant it.',
  ),
  fenced: row(
    -32004,
    false,
    'A newer session of this agent, or a newer turn, has taken over. Stop: nothing from this one is accepted any more.',
  ),
  // load
  rate_limited: row(
    -32010,
    true,
    'Too many calls. Wait {retryAfterMs} ms, then call again with the same arguments and idempotencyKey.',
  ),
  too_large: row(
    -32011,
    false,
    'Larger than the limit of {limit} {unit}. Shorten or split it, then call again.',
  ),
  unavailable: row(
    -32012,
    true,
    '{what} cannot be reached now. Call again later with the same arguments and idempotencyKey.',
  ),
  // what a tool refuses
  not_found: row(
    -32020,
    false,
    'There is no {what} with this id that you may see. Look it up with chat.list_events.',
  ),
  stale_token: row(
    -32021,
    false,
    'Your claim has lapsed or was replaced. Claim again with chat.claim before answering.',
  ),
  claimed_by_other: row(-32022, false, 'This is claimed by {holder}. Do not answer; it is being handled.'),
  claim_first: row(
    -32037,
    false,
    'Several could answer this, and you have not claimed it. Claim it with chat.claim, then answer.',
  ),
  not_claimable: row(
    -32036,
    false,
    'This cannot be claimed: {problem}. Leave it; claim what was asked of your role or of nobody in particular.',
  ),
  must_not_respond: row(
    -32023,
    false,
    'The policy of this event is must_not_respond. Do not send anything about it.',
  ),
  left: row(
    -32024,
    false,
    'You have left this conversation. Send nothing there until somebody @mentions you or assigns you work.',
  ),
  duplicate_key_other_body: row(
    -32025,
    false,
    'This idempotencyKey was used for another message. Keep the first body for a retry, or use a new key for a new message.',
  ),
  one_recipient: row(
    -32026,
    false,
    'A message may oblige one responder. Name a single recipient, or send without mentions.',
  ),
  mention_without_obligation: row(
    -32027,
    false,
    'A mention asks for an answer, and this message asks nothing. Send it without mentions, or use chat.react.',
  ),
  repeated_text: row(
    -32028,
    false,
    'You said the same here a moment ago. Add something new, or stay silent.',
  ),
  budget_spent: row(
    -32029,
    false,
    'What is asked has one answer; further messages here are unprompted, and {limit} an hour are the limit. Come back in {retryAfterMs} ms, or answer what is asked next.',
  ),
  needs_approval: row(
    -32030,
    false,
    'A person must agree to this first; they have been asked ({approvalId}). Go on with other work.',
  ),
  not_readable: row(
    -32032,
    false,
    'This attachment cannot be read: {problem}. Go on without it, or ask for its content in words.',
  ),
  not_delivered: row(
    -32031,
    false,
    'It was not delivered and will not be: {problem}. Answer differently, with a new idempotencyKey.',
  ),
  outcome_lost: row(
    -32038,
    false,
    'Nobody can tell whether this was shown: {problem}. Do not send it again; people have been told. Go on.',
  ),
  declined: row(
    -32034,
    false,
    'A person did not agree to this, so it was not posted: {reason}. Do not send it again. Answer differently, or say that you may not.',
  ),
  not_decided: row(
    -32045,
    false,
    'Nobody has allowed this: {problem}. Do not do it; say in chat what you need.',
  ),
  no_private_way: row(
    -32035,
    false,
    'This cannot be shown to one alone: {problem}. {instead}. It was not posted.',
  ),
  not_yours: row(
    -32039,
    false,
    'You did not write this message, so you cannot change it. Only your own messages can be edited or deleted.',
  ),
  not_shown_yet: row(
    -32040,
    true,
    'Your message is not shown yet, so it cannot be changed. Call again later with the same arguments and idempotencyKey.',
  ),
  already_deleted: row(-32041, false, 'This message is deleted already. Leave it; send a new one if needed.'),
  unsupported: row(
    -32042,
    false,
    '{what} cannot be shown there: {problem}. {instead}, with a new idempotencyKey. Nothing was posted.',
  ),
  silence: row(
    -32033,
    false,
    'This says nothing, so nothing was posted. To stay silent, call nothing: silence is the absence of a call.',
  ),
} as const;

export type WireErrorName = keyof typeof WIRE_ERRORS;

export function isWireErrorName(name: string): name is WireErrorName {
  return Object.hasOwn(WIRE_ERRORS, name);
}

/**
 * Whether the same call may succeed soon: as the peer says it, else as its code says in the table above. A code that is
 * not in the table says nothing, so only trying again tells.
 */
export function isRetryable({ code, data }: { code: number; data?: unknown }): boolean {
  const said = typeof data === 'object' && data !== null && 'retryable' in data ? data.retryable : undefined;
  if (typeof said === 'boolean') return said;
  return Object.values(WIRE_ERRORS).find((known) => known.code === code)?.retryable ?? true;
}

/** Retryable: the same call may succeed soon. Otherwise the caller must change something. */
function row<M extends string>(code: number, retryable: boolean, message: M) {
  return { code, retryable, message } as const;
}

type Braced<M extends string> = M extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Braced<Rest>
  : never;
type Value = string | number | readonly string[];
type Details<N extends WireErrorName> = Record<Braced<(typeof WIRE_ERRORS)[N]['message']>, Value>;
type DetailsArgument<N extends WireErrorName> = [Braced<(typeof WIRE_ERRORS)[N]['message']>] extends [never]
  ? [details?: Readonly<Record<string, unknown>>]
  : [details: Details<N> & Readonly<Record<string, unknown>>];

/** A list of versions or methods fits, and so does the message into a prompt. */
const VALUE_CHARS = 300;

/** A value may quote a peer, so each is made one printable line. */
function fill(template: string, values: Readonly<Record<string, unknown>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (typeof value === 'string') return printableLine(value, VALUE_CHARS);
    if (typeof value === 'number') return String(value);
    return Array.isArray(value) ? printableLine(value.join(', '), VALUE_CHARS) : '?';
  });
}
