// Files of agents on Slack. They are uploaded first, which nobody sees, and then shared in one step as a message of
// their own. Such a message carries no metadata, so it is known by the ids of its files: they are noted with the send
// before it is shared, and Slack says of a file where it is shared.
import type { Clock } from '../../runtime/clock.ts';
import { type Called, type Failure, findOutcomeOf, outcomeOf } from '../failure.ts';
import type { OutboundFile, OutboundMessage, PostOutcome } from '../surface.ts';
import type { SlackApi } from './api.ts';
import { isSlack } from './files.ts';
import { channelOf, shownAs, threadOf } from './write.ts';

export interface SendFilesDeps {
  api: SlackApi;
  clock: Clock;
  /** For another address of the API than Slack's own. */
  apiUrl: string | undefined;
  /** Whether the app may post under the agent's name. */
  persona: boolean;
}

export const SEND_FILE_TIMES = {
  /** One upload. */
  uploadMs: 15_000,
  /** After so long nothing is made visible any more: the host may have given up waiting, and would ask for it again. */
  prepareMs: 9_000,
  /** Slack shares what it has taken within seconds. After so long it never will. */
  shareMs: 10 * 60_000,
} as const;

/** What is noted with a send. `sharedAt`: Slack said that it has taken them, epoch ms. */
interface Note {
  ids: readonly string[];
  sharedAt?: number;
}

type Files = Pick<OutboundMessage, 'notes'> & { files: readonly OutboundFile[] };

/** Uploads the files, unless that is done. Undefined: they are there. Nothing is visible before and after. */
export async function prepareFiles(deps: SendFilesDeps, files: Files): Promise<PostOutcome | undefined> {
  const begunAt = deps.clock.now();
  const uploaded = await uploadOnce(deps, files);
  if (!uploaded.ok) return notPosted(uploaded.failure);
  const isLate = deps.clock.now() - begunAt > SEND_FILE_TIMES.prepareMs;
  return isLate ? { type: 'retry', error: 'the upload took too long; it goes on from there' } : undefined;
}

/** Shares the files in the channel or thread. */
export async function shareFiles(deps: SendFilesDeps, message: OutboundMessage): Promise<PostOutcome> {
  const files = { ...message, files: message.attachments ?? [] };
  const problem = await prepareFiles(deps, files);
  if (problem !== undefined) return problem;
  const { ids } = (await readNote(message)) ?? { ids: [] };
  const thread = threadOf(message.place);
  const called = await deps.api.call('files.completeUploadExternal', {
    files: ids.map((id, index) => ({ id, title: files.files[index]?.name })),
    channel_id: channelOf(message.place),
    ...(thread !== undefined && { thread_ts: thread }),
    ...(deps.persona && shownAs(message.persona)),
  });
  if (called.ok) {
    await writeNote(message, { ids, sharedAt: deps.clock.now() });
    return findFiles(deps, message);
  }
  const { failure } = called;
  if (failure.type !== 'refused') return outcomeOf(failure);
  if (failure.code === 'missing_scope' && deps.persona)
    return shareFiles({ ...deps, persona: false }, message);
  return isUnknownFile(failure) ? goneOrShared(deps, message, ids) : outcomeOf(failure);
}

/** Slack knows no such upload. It was shared before, or it has expired and is uploaded again with the next attempt. */
async function goneOrShared(
  deps: SendFilesDeps,
  message: OutboundMessage,
  ids: readonly string[],
): Promise<PostOutcome> {
  const [first = ''] = ids;
  const asked = await askShare(deps, message, first);
  const isGone = !asked.ok && isUnknownFile(asked.failure);
  await writeNote(message, isGone ? { ids: [] } : { ids, sharedAt: deps.clock.now() });
  if (isGone) return { type: 'retry', error: 'the upload has expired; it is uploaded again' };
  return findFiles(deps, message);
}

/** Where the file is shared: the ts of the message, if there is one. */
async function askShare(
  { api }: SendFilesDeps,
  { place }: OutboundMessage,
  id: string,
): Promise<Called<string | undefined>> {
  const called = await api.call<{ file?: { shares?: Shares } }>('files.info', { file: id });
  return called.ok ? { ok: true, value: shareIn(called.value.file?.shares ?? {}, place) } : called;
}

function isUnknownFile(failure: Failure): boolean {
  return failure.type === 'refused' && failure.code === 'file_not_found';
}

/** Looks for the share by the files themselves. */
export async function findFiles(deps: SendFilesDeps, message: OutboundMessage): Promise<PostOutcome> {
  const note = await readNote(message);
  const [first] = note?.ids ?? [];
  if (note === undefined || first === undefined) return { type: 'absent' };
  const asked = await askShare(deps, message, first);
  if (asked.ok && asked.value !== undefined) return { type: 'visible', platformId: asked.value };
  if (!asked.ok && !isUnknownFile(asked.failure)) return findOutcomeOf(asked.failure);
  if (note.sharedAt === undefined) return { type: 'absent' };
  return deps.clock.now() - note.sharedAt > SEND_FILE_TIMES.shareMs
    ? { type: 'unknowable', error: 'Slack has taken the files and does not show them' }
    : { type: 'unknown', error: 'Slack has taken the files and does not show them yet' };
}

type Shares = Readonly<
  Record<'public' | 'private', Readonly<Record<string, readonly { ts?: string; thread_ts?: string }[]>>>
>;

function shareIn(shares: Partial<Shares>, place: OutboundMessage['place']): string | undefined {
  const channel = channelOf(place);
  const thread = threadOf(place);
  const here = [...(shares.public?.[channel] ?? []), ...(shares.private?.[channel] ?? [])];
  return here.find(({ ts, thread_ts: root = ts }) => thread === undefined || root === thread)?.ts;
}

async function uploadOnce(deps: SendFilesDeps, message: Files): Promise<Called<void>> {
  const { files } = message;
  const done = await readNote(message);
  if (done !== undefined && done.ids.length === files.length) return { ok: true, value: undefined };
  const ids: string[] = [];
  for (const file of files) {
    const uploaded = await upload(deps, file);
    if (!uploaded.ok) return uploaded;
    ids.push(uploaded.value);
  }
  await writeNote(message, { ids });
  return { ok: true, value: undefined };
}

/** Uploads one file. Answers with Slack's id of it. */
async function upload({ api, clock, apiUrl }: SendFilesDeps, file: OutboundFile): Promise<Called<string>> {
  const asked = await api.call<{ upload_url?: string; file_id?: string }>('files.getUploadURLExternal', {
    filename: file.name,
    length: file.size,
  });
  if (!asked.ok) return asked;
  const url = URL.parse(asked.value.upload_url ?? '');
  const { file_id: id } = asked.value;
  if (url === null || id === undefined || !isSlack(url, apiUrl))
    return refused('no_upload_url', 'Slack named no place of its own to upload to');
  const abort = new AbortController();
  const cancel = clock.after(SEND_FILE_TIMES.uploadMs, () => abort.abort());
  try {
    const body = new Uint8Array(await file.bytes());
    const { status, ok } = await fetch(url, {
      method: 'POST',
      body,
      redirect: 'manual',
      signal: abort.signal,
    });
    if (ok) return { ok: true, value: id };
    return status >= 500 || status === 429
      ? lost(`Slack answered an upload with HTTP ${status}`)
      : refused(`http_${status}`, `Slack does not take the file ${file.name}: HTTP ${status}`);
  } catch (error) {
    return lost(error instanceof Error ? error.message : 'the upload broke');
  } finally {
    cancel();
  }
}

function lost(error: string): Called<never> {
  return { ok: false, failure: { type: 'lost', error } };
}

function refused(code: string, error: string): Called<never> {
  return { ok: false, failure: { type: 'refused', code, error } };
}

/** Nothing was visible yet, so a lost answer is no question: it is done again. */
function notPosted(failure: Failure): PostOutcome {
  return failure.type === 'lost' ? { type: 'retry', error: failure.error } : outcomeOf(failure);
}

async function readNote({ notes }: Pick<OutboundMessage, 'notes'>): Promise<Note | undefined> {
  const text = await notes?.read();
  return text === undefined ? undefined : (JSON.parse(text) as Note);
}

async function writeNote({ notes }: Pick<OutboundMessage, 'notes'>, note: Note): Promise<void> {
  await notes?.write(JSON.stringify(note));
}
