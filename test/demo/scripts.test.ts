// What the demo's agents can show besides the guide: work that is cancelled, interrupted, put off, declined, owed.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEMO_AGENTS, DEMO_CONFIG, DEMO_WORKSPACE } from '../../src/cli/demo-config.ts';
import { parseHostConfig } from '../../src/cli/config.ts';
import type { TestHost } from '../../src/testing/index.ts';
import { demoHost } from './stage.ts';

let host: TestHost;
beforeEach(async () => {
  host = await demoHost();
});
afterEach(() => host.close());

const texts = (by: string): string[] => host.visible(by).map(({ text }) => text);

async function ask(text: string, ms = 60_000): Promise<string> {
  const id = await host.say('you', text);
  await host.advance(ms);
  return id;
}

describe('slow work', () => {
  it('says nothing before it is done', async () => {
    await ask('@builder build it', 6_000);
    expect(texts('builder')).toEqual([]);
    await host.advance(2_000);
    expect(texts('builder')).toEqual(['Built, in 5 steps.']);
  });

  it('"stop" ends it without a word of its own', async () => {
    await ask('@builder build it', 4_000);
    await ask('@builder stop');
    expect(texts('builder')).toEqual(['Okay, stopping. Mention me when you need me.']);
    expect(host.turns('builder')).toBe(1);
  });

  it('an edit cancels it, and the new words are answered', async () => {
    const first = await ask('@builder build it', 4_000);
    const edit = { type: 'edit', targetEventId: first };
    await host.say('you', '@builder is the build green?', { more: edit });
    await host.advance(60_000);
    expect(texts('builder')).toEqual(['The last build is green.']);
  });

  it('a further line is read together with the first', async () => {
    await ask('@builder build it', 4_000);
    await ask('@builder urgent: production is down');
    expect(texts('builder')).toEqual([
      'I read two messages as one. I have dropped what I was doing and look at this first.',
    ]);
  });

  it('something urgent from somebody else comes in at a step, and both are answered', async () => {
    const first = await ask('@builder build it', 4_000);
    const urgent = await host.say('ada', '@builder urgent: production is down');
    await host.advance(60_000);
    expect(host.visible('builder').map(({ text, replyTo }) => [text, replyTo])).toEqual([
      ['You interrupted me after step 2 of 5: I look at this first.', urgent],
      ['Built, in 5 steps.', first],
    ]);
    expect(host.turns('builder')).toBe(1);
  });
});

describe('other manners', () => {
  it('a reminder is put off and comes back once', async () => {
    const asked = await ask('@builder remind me in 10 s', 9_000);
    expect(host.reactions('builder')).toMatchObject([{ signal: 'queued', on: asked }]);
    expect(texts('builder')).toEqual([]);
    await host.advance(3_600_000);
    expect(texts('builder')).toEqual(['This is your reminder: 10 s are over.']);
    expect(await host.inbox()).toEqual([]);
  });

  it('a reminder that comes back together with new words is told, and they are answered too', async () => {
    const first = await ask('@builder remind me in 10 s', 11_500);
    const other = await ask('@builder is the build green?');
    expect(host.visible('builder').map(({ text, replyTo }) => [text, replyTo])).toEqual([
      ['This is your reminder: 10 s are over.', first],
      ['The last build is green.', other],
    ]);
    expect(texts('lead')).toEqual([]);
    expect(await host.inbox()).toEqual([]);
  });

  it('what it may answer and has nothing to say about is met with silence', async () => {
    await host.say('ada', '@lead hello');
    await host.advance(10_000);
    const remark = await ask('builder, what a day');
    expect(await host.why(remark, 'builder')).toMatchObject({
      policy: 'may_respond',
      disposition: 'ignored',
    });
    expect(host.turns('builder')).toBe(1);
    expect(texts('builder')).toEqual([]);
  });

  it('who greets and asks in one breath is answered what was asked', async () => {
    await host.say('ada', 'hello, I am new here');
    await ask('@lead is the deploy blocked?');
    expect(texts('lead')).toEqual(['Nothing blocks the deploy: the build is green.']);
  });

  it('what is declined goes to the lead', async () => {
    const asked = await ask('@builder make coffee');
    expect(host.reactions('builder')).toMatchObject([{ signal: 'declined', on: asked }]);
    expect(texts('lead')).toEqual(['This has come to me because builder did not take it. I have noted it.']);
    expect(await host.inbox()).toEqual([]);
  });

  it('what is owed is closed by who asked, and does not come back', async () => {
    await ask('@builder get a review');
    const asked = host.visible('builder')[0]?.eventId;
    expect(texts('reviewer')).toEqual(['Reviewed: small, tested, good to merge.']);
    expect(host.reactions('builder')).toMatchObject([{ signal: 'done', on: asked }]);
    expect(texts('builder').at(-1)).toBe('I have the review and am no longer blocked: merged.');
    const turns = host.turns('reviewer');
    await host.advance(3 * 3_600_000);
    expect(host.turns('reviewer')).toBe(turns);
    expect(await host.inbox()).toEqual([]);
  });

  it('the lead hands work on, and nobody thanks anybody for ever', async () => {
    await ask('@lead please get it built', 3_600_000);
    expect(host.visible().map(({ by, text }) => `${by}: ${text}`)).toEqual([
      'you: @lead please get it built',
      'lead: @builder please build it.',
      'builder: Built, in 5 steps.',
    ]);
    expect([host.reactions('lead'), host.turns('builder')]).toEqual([[], 1]);
  });

  it('help names the others and wakes none of them', async () => {
    await ask('@lead help');
    expect(texts('lead')).toHaveLength(1);
    expect([host.turns('builder'), host.turns('reviewer')]).toEqual([0, 0]);
  });

  it('asked the same at once again, it answers the same', async () => {
    await ask('@lead are you there?', 5_000);
    await ask('@lead are you there?', 5_000);
    const answer = 'I am here. I answer when I am addressed and am quiet otherwise.';
    expect(texts('lead')).toEqual([answer, answer]);
  });

  it('in the second channel the builder answers a lone person who names nobody', async () => {
    const membership = { humans: 1, agents: 3, complete: true };
    await host.say('you', 'is the build green?', { in: 'builds', more: { membership } });
    await host.advance(10_000);
    expect(host.visible('builder')).toMatchObject([{ in: 'builds', text: 'The last build is green.' }]);
    expect([host.turns('lead'), host.turns('reviewer')]).toEqual([0, 0]);
  });
});

describe('the configuration', () => {
  it('has every agent that is played, and a lead for the others', () => {
    const { agents, conversations } = parseHostConfig(DEMO_CONFIG, 'the demo configuration').attention;
    expect(agents.map(({ id }) => id)).toEqual(DEMO_AGENTS);
    expect(agents.filter(({ roles }) => roles.includes('oncall')).map(({ id, lead }) => [id, lead])).toEqual([
      ['builder', 'lead'],
      ['reviewer', 'lead'],
    ]);
    const known = DEMO_WORKSPACE.conversations.map(({ id }) => `*/*/${id}`);
    for (const { match } of conversations) expect(known).toContain(match);
  });
});
