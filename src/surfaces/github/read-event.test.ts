// Payloads as GitHub documents them, cut down to what matters; the rest is ignored.
import { describe, expect, it } from 'vitest';
import { sourceEventSchema } from '../../protocol/source-event.ts';
import { deliverySchema } from './payload.ts';
import { readDelivery, type Read, threadIn } from './read-event.ts';
import type { Known } from './read-message.ts';

const AT = '2026-06-02T09:00:00Z';
const NOW = Date.parse(AT) + 5_000;
const KNOWN: Known = {
  workspace: 'github.com',
  self: { login: 'earshot[bot]', isApp: true },
  now: NOW,
  lateMs: 120_000,
  heardUntil: () => Date.parse('2026-06-01T00:00:00Z'),
};
const ada = { login: 'Ada', id: 1, type: 'User', site_admin: false };
const bot = { login: 'ci[bot]', id: 2, type: 'Bot' };
const us = { login: 'earshot[bot]', id: 3, type: 'Bot' };
const repository = { id: 1, full_name: 'acme/app', private: true };
const times = { created_at: AT, updated_at: AT };
const issue = {
  id: 55,
  number: 12,
  title: 'The build is red',
  body: 'since noon @earshot',
  user: ada,
  ...times,
};
const comment = { id: 345, body: '@earshot is it green?', user: ada, ...times };
const pull = { ...issue, number: 13, merged: false, base: { ref: 'main' } };

function read(name: string, action: string, more: object, known = KNOWN): Read {
  const delivery = deliverySchema.parse({ action, repository, sender: ada, ...more });
  return readDelivery(name, delivery, known);
}

function events(given: Read) {
  if (given.type !== 'events') throw new Error(JSON.stringify(given));
  for (const event of [...given.events, ...(given.root === undefined ? [] : [given.root])])
    expect(sourceEventSchema.safeParse(event).error).toBeUndefined();
  return given;
}

describe('what is said', () => {
  it('the body of an issue, with its title, is the first message of the thread', () => {
    const { events: all, root } = events(read('issues', 'opened', { issue }));
    expect(root).toBeUndefined();
    expect(all).toEqual([
      {
        eventId: 'issue:12',
        at: Date.parse(AT),
        platform: 'github',
        workspaceId: 'github.com',
        conversation: { id: 'acme/app#12', kind: 'thread', parentId: 'acme/app', title: 'The build is red' },
        author: { id: 'ada', kind: 'human', displayName: 'Ada' },
        type: 'message',
        text: '> The build is red\n\nsince noon @earshot',
        mentionsResolved: true,
        mentions: [{ kind: 'agent', id: 'earshot[bot]' }],
      },
    ]);
  });

  it('a pull request likewise', () => {
    const { events: all } = events(read('pull_request', 'opened', { pull_request: pull }));
    expect(all).toMatchObject([{ eventId: 'issue:13', conversation: { id: 'acme/app#13' } }]);
  });

  it('a comment comes behind the body of its issue', () => {
    const { events: all, root } = events(read('issue_comment', 'created', { issue, comment }));
    expect(all).toMatchObject([{ eventId: 'comment:345', type: 'message', text: '@earshot is it green?' }]);
    expect(root).toMatchObject({ eventId: 'issue:12' });
    expect(root).not.toHaveProperty('origin');
    const old = { ...issue, created_at: '2026-05-01T00:00:00Z' };
    expect(events(read('issue_comment', 'created', { issue: old, comment })).root).toMatchObject({
      origin: 'backfill',
    });
  });

  it('what comes late was missed', () => {
    const late = { ...KNOWN, now: NOW + 180_000 };
    expect(events(read('issue_comment', 'created', { issue, comment }, late)).events).toMatchObject([
      { origin: 'gap' },
    ]);
  });

  it.each([
    [7, undefined, 'acme/app#13/r7'],
    [8, 7, 'acme/app#13/r7'],
  ])('review comment %i in reply to %s is in %s', (id, first, thread) => {
    const said = { ...comment, id, in_reply_to_id: first, path: 'src/a.ts' };
    const given = { pull_request: pull, comment: said };
    const { events: all } = events(read('pull_request_review_comment', 'created', given));
    expect(all).toMatchObject([
      {
        eventId: `review_comment:${id}`,
        conversation: { id: thread, parentId: 'acme/app', title: 'src/a.ts: The build is red' },
      },
    ]);
  });

  it.each([
    ['approved', '', { text: 'Approved these changes.', subtype: 'status' }],
    ['changes_requested', 'no tests', { text: 'Requested changes.\n\nno tests' }],
    ['commented', 'nice', { text: 'nice' }],
  ])('a review that is %s', (state, body, wanted) => {
    const review = { id: 6, body, user: ada, state, submitted_at: AT };
    const { events: all } = events(read('pull_request_review', 'submitted', { pull_request: pull, review }));
    expect(all).toMatchObject([{ eventId: 'review:6', conversation: { id: 'acme/app#13' }, ...wanted }]);
  });

  it('a review without words is nothing', () => {
    const review = { id: 6, body: null, user: ada, state: 'commented', submitted_at: AT };
    expect(read('pull_request_review', 'submitted', { pull_request: pull, review })).toEqual({
      type: 'ignored',
    });
  });
});

describe('who said it', () => {
  it.each([
    [ada, { id: 'ada', kind: 'human' }],
    [bot, { id: 'ci[bot]', kind: 'agent' }],
    [null, { id: 'ghost', kind: 'human' }],
  ])('%j', (user, author) => {
    const given = { issue, comment: { ...comment, user } };
    expect(events(read('issue_comment', 'created', given)).events).toMatchObject([{ author }]);
  });

  it('what we posted comes back with its marks', () => {
    const given = { issue, comment: { ...comment, user: us, body: '<!-- earshot:lead%3Ak1 -->\nIt is.' } };
    expect(events(read('issue_comment', 'created', given)).events).toMatchObject([
      { author: { kind: 'agent' }, echoOf: 'lead:k1', platformId: 'comment:345', text: 'It is.' },
    ]);
  });

  it('the key in a comment of somebody else is not believed', () => {
    const given = { issue, comment: { ...comment, body: '<!-- earshot:lead%3Ak1 -->\nIt is.' } };
    const [said] = events(read('issue_comment', 'created', given)).events;
    expect(said).not.toHaveProperty('echoOf');
    expect(said).toMatchObject({ author: { kind: 'human' } });
  });

  it('whose token it is may speak for themselves', () => {
    const person = { ...KNOWN, self: { login: 'ada', isApp: false } };
    const own = events(read('issue_comment', 'created', { issue, comment }, person)).events;
    expect(own).toMatchObject([{ author: { id: 'ada', kind: 'human' } }]);
    const marked = { ...comment, body: '<!-- earshot:lead%3Ak1 -->\nIt is.' };
    const ours = events(read('issue_comment', 'created', { issue, comment: marked }, person)).events;
    expect(ours).toMatchObject([{ author: { id: 'ada', kind: 'agent' }, echoOf: 'lead:k1' }]);
  });
});

describe('what is changed', () => {
  const later = '2026-06-02T09:00:03Z';
  const edited = { ...comment, body: '@earshot is it blue?', updated_at: later };

  it('an edit names the time and the words', () => {
    const changes = { body: { from: comment.body } };
    const { events: all } = events(read('issue_comment', 'edited', { issue, comment: edited, changes }));
    expect(all).toMatchObject([
      { type: 'message', eventId: 'comment:345', text: comment.body },
      { type: 'edit', targetEventId: 'comment:345', text: edited.body, at: Date.parse(later) },
    ]);
    expect(all[0]).not.toHaveProperty('origin');
    const [, edit] = all;
    const other = { ...edited, body: 'another' };
    const [, second] = events(read('issue_comment', 'edited', { issue, comment: other, changes })).events;
    expect(edit?.eventId).toMatch(/^comment:345:edited:2026-06-02T09:00:03Z:/);
    expect(second?.eventId).not.toBe(edit?.eventId);
  });

  it('an edit of the body or the title is one of the first message', () => {
    const changes = { title: { from: 'Red' } };
    const now = { ...issue, updated_at: later };
    const { events: all, root } = events(read('issues', 'edited', { issue: now, changes }));
    expect(all).toMatchObject([{ type: 'edit', targetEventId: 'issue:12' }]);
    expect(root).toMatchObject({ text: '> Red\n\nsince noon @earshot' });
  });

  it.each([
    ['pull_request', { pull_request: pull, changes: { base: { ref: { from: 'old' } } } }],
    ['issue_comment', { issue, comment: { ...edited, user: us } }],
  ])('an edit in %s that says nothing new, or is ours, is nothing', (name, given) => {
    expect(read(name, 'edited', given)).toEqual({ type: 'ignored' });
  });

  it.each([
    ['issue_comment', { issue, comment }, 'comment:345'],
    ['pull_request_review_comment', { pull_request: pull, comment }, 'review_comment:345'],
    ['issues', { issue }, 'issue:12'],
  ])('a delete in %s', (name, given, target) => {
    expect(events(read(name, 'deleted', given)).events).toMatchObject([
      { eventId: `${target}:deleted`, type: 'delete', targetEventId: target, at: NOW },
    ]);
  });
});

describe('what happens to an issue', () => {
  it.each([
    ['issues', 'assigned', { issue, assignee: us }, { subtype: 'assigned', recipients: ['earshot[bot]'] }],
    [
      'issues',
      'assigned',
      { issue, assignee: ada },
      { subtype: 'assigned', recipients: ['ada'], mentions: [{ kind: 'human', id: 'ada' }] },
    ],
    [
      'pull_request',
      'review_requested',
      { pull_request: pull, requested_reviewer: us },
      { subtype: 'review_requested', mentions: [{ kind: 'agent', id: 'earshot[bot]' }] },
    ],
    [
      'pull_request',
      'review_requested',
      { pull_request: pull, requested_team: { slug: 'ops' } },
      { subtype: 'review_requested', mentions: [{ kind: 'role', id: 'acme/ops' }] },
    ],
    ['issues', 'closed', { issue }, { subtype: 'status', text: 'Closed this.' }],
    ['issues', 'reopened', { issue }, { subtype: 'status' }],
    [
      'pull_request',
      'closed',
      { pull_request: { ...pull, merged: true } },
      { subtype: 'status', text: 'Merged this.' },
    ],
    ['issues', 'labeled', { issue, label: { name: 'bug' } }, { text: 'Added the label bug.' }],
  ])('%s %s', (name, action, given, wanted) => {
    const { events: all, root } = events(read(name, action, given));
    expect(all).toMatchObject([{ type: 'message', author: { id: 'ada' }, ...wanted }]);
    expect(root).toBeDefined();
  });

  it('the same delivery again has the same ids', () => {
    const twice = [1, 2].map(() => events(read('issues', 'assigned', { issue, assignee: us })).events);
    const ids = twice.flat().map(({ eventId }) => eventId);
    expect(ids).toEqual(Array(2).fill(`issue:12:assigned:earshot[bot]:${AT}`));
  });
});

describe('what is nothing for the host', () => {
  it.each([
    ['ping', 'x', {}, {}],
    ['installation', 'created', {}, {}],
    ['issues', 'unlabeled', { issue }, {}],
    ['issues', 'milestoned', { issue }, {}],
    ['star', 'created', {}, { what: 'star' }],
  ])('%s %s', (name, action, given, wanted) => {
    expect(read(name, action, given)).toEqual({ type: 'ignored', ...wanted });
  });

  it.each([
    ['issues', { issue: { ...issue, number: '12' } }, /^issue\.number: /],
    ['issue_comment', { issue, comment: { ...comment, created_at: 'yesterday' } }, /^comment\.created_at: /],
    ['issue_comment', { issue }, /^comment: /],
    ['issues', { issue, repository: undefined }, /^repository: /],
  ])('%s that is malformed says where', (name, given, problem) => {
    const told = read(name, 'created', given);
    expect(told).toEqual({ type: 'malformed', problem: expect.stringMatching(problem) });
  });
});

it('events of one issue or pull request are in order', () => {
  const given = [{ issue }, { pull_request: pull }, {}];
  const threads = given.map((one) => threadIn(deliverySchema.parse({ repository, ...one })));
  expect(threads).toEqual(['acme/app#12', 'acme/app#13', '']);
});
