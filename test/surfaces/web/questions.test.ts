// What waits for a person is decided under the line that says so: over the web chat's wire, with a real host and agent.
import { describe, expect, it } from 'vitest';
import type { WebMessage } from '../../../src/protocol/web-chat.ts';
import { Refusal, type SignedIn } from './tab.ts';
import { type Team, team } from './team.ts';

const WAITS = 'A person has to approve my answer before I can post it.';
const ANSWER = 'Yes: a refund of 5.';
const CHOICES = ['Approve', 'Decline', 'Show it to me'];
const SETTINGS = 'host: { sensitive: [{ reason: money, words: [refund] }], approvers: [web/local/ada] }';

interface Waiting {
  room: Team;
  ada: SignedIn;
  bob: SignedIn;
  asked: WebMessage;
  question: WebMessage;
}

/** Bob asks, and the lead's answer waits. Ada may approve what is about money, Bob may not. */
async function waiting(where: 'general' | 'dm'): Promise<Waiting> {
  const room = await team(SETTINGS);
  const [ada, bob] = [await room.person('ada'), await room.person('bob')];
  const asker = where === 'dm' ? ada : bob;
  room.agent('lead', () => ANSWER);
  const conversation = where === 'general' ? where : (await directOf(ada)).id;
  const asked = await asker.tab.say(conversation, '@lead can I have my money back?');
  const { message: question } = await asker.tab.until('message', ({ message }) => message.text === WAITS);
  return { room, ada, bob, asked, question };
}

async function directOf({ tab }: SignedIn) {
  return (await tab.ask('create', { kind: 'dm', key: 'dm-1', with: 'agent:lead' })).conversation;
}

const outcome = ({ tab }: SignedIn, { eventId }: WebMessage) =>
  tab.until('state', (news) => news.eventId === eventId && news.question?.outcome !== undefined);
const choose = ({ tab }: SignedIn, { eventId }: WebMessage, choice: string) =>
  tab.ask('choose', { eventId, choice });

describe('an answer that waits for a person', () => {
  it('is a line with choices for everybody; who may not is told why; who may reads it, approves, and it is posted once', async () => {
    const { ada, bob, question } = await waiting('general');
    expect(question.question?.choices.map(({ label }) => label)).toEqual(CHOICES);
    expect(JSON.stringify(question)).not.toContain('refund');

    expect((await choose(bob, question, 'show')).text).toMatch(/^You may not decide this/);
    expect((await choose(bob, question, 'approve')).text).toMatch(/^You may not decide this/);
    expect((await choose(ada, question, 'show')).text).toContain(ANSWER);
    expect(JSON.stringify([ada.tab.told, bob.tab.told])).not.toContain('refund');

    expect((await choose(ada, question, 'approve')).text).toBe('Approved. It is posted now.');
    expect((await outcome(bob, question)).question).toMatchObject({
      choices: [],
      outcome: 'Approved by ada.',
    });
    await bob.tab.until('message', ({ message }) => message.text === ANSWER);
    expect((await choose(ada, question, 'decline')).text).toMatch(/closed already/);
    const { messages } = await bob.tab.ask('open', { conversation: 'general' });
    expect(messages.map(({ text }) => text)).toEqual(['@lead can I have my money back?', WAITS, ANSWER]);
    expect(messages[1]?.question).toMatchObject({ choices: [], outcome: 'Approved by ada.' });
  });

  it('is not posted when it is declined, in a direct message too, and the line says who did that', async () => {
    const { ada, question } = await waiting('dm');
    expect((await choose(ada, question, 'decline')).text).toBe('Declined. The agent is told.');
    expect((await outcome(ada, question)).question?.outcome).toBe('Declined by ada.');
    const { messages } = await ada.tab.ask('open', { conversation: question.conversation });
    expect(messages[1]).toMatchObject({
      text: WAITS,
      question: { choices: [], outcome: 'Declined by ada.' },
    });
    expect(JSON.stringify(messages)).not.toContain(ANSWER);
  });

  it('says how it ended when an operator decided it in the inbox', async () => {
    const { room, bob, question } = await waiting('general');
    const item = encodeURIComponent(question.question?.item ?? '');
    const decided = await room.host.call('POST', `/v1/inbox/${item}/decline`, room.host.tokens.operator, {
      reason: 'ask finance',
    });
    expect(decided.status).toBe(200);
    const { question: ended } = await outcome(bob, question);
    expect(ended).toMatchObject({
      choices: [],
      outcome: expect.stringMatching(/^Declined by .+[.]$/) as string,
    });
  });
});

describe('a choice is refused', () => {
  it('where nothing is asked, and where the person may not see it', async () => {
    const { ada, bob, asked, question } = await waiting('general');
    await expect(choose(ada, asked, 'approve')).rejects.toThrow(/no such question/);
    expect((await choose(ada, question, 'burn')).text).toBe('There is no such choice.');
    const { id } = await directOf(ada);
    const { eventId } = await ada.tab.say(id, '@lead and in private?');
    await expect(bob.tab.ask('choose', { eventId, choice: 'show' })).rejects.toThrow(Refusal);
  });
});
