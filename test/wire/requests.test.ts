// Leave, stop, be quieter, come back, as people say it, over every way: the host obeys by itself, posts one line, starts
// no turn, and what the line promises is what then happens. Unnamed inside a live exchange it counts as well.
import { describe, expect, it } from 'vitest';
import { SENTENCES } from '../../src/host/attend/acknowledgements.ts';
import { type Line, until, type WireHost } from './host.ts';
import { hostWith, type Seen, type Way, WAYS, type WireHarness } from './ways.ts';

const { leaves, stops, when_mentioned, quiet, normal } = SENTENCES.en;
const STEP_MS = 4_000;
const DM: Line = { in: 'D1', kind: 'dm', more: { recipients: ['agent:lead'] } };
const THREAD: Line = { in: 'T1', thread: 'general' };

class Talk {
  readonly wire: WireHost;
  readonly lead: WireHarness;
  readonly line: Line;

  constructor(wire: WireHost, lead: WireHarness, line: Line) {
    this.wire = wire;
    this.lead = lead;
    this.line = line;
  }

  async say(text: string, line: Line = {}): Promise<string> {
    const eventId = await this.wire.say(text, { ...this.line, ...line });
    await this.wire.pass(STEP_MS, STEP_MS / 2);
    return eventId;
  }

  /** The agent's answer to what calls it. The SDK's handler answers by itself. */
  async exchange(text: string): Promise<Seen> {
    const eventId = await this.say(text);
    const seen = await this.lead.next((one) => one.eventId === eventId, text);
    if (this.lead.way !== 'sdk')
      expect(await this.lead.reply(seen, 'It is green.')).toMatchObject({ ok: true });
    await until(() => this.wire.platform.texts().includes('It is green.'), 'the answer');
    await this.wire.pass(1);
    return seen;
  }

  /** It reaches nobody: no turn, no text, no knock. */
  async unheard(...texts: readonly string[]): Promise<void> {
    for (const text of texts) {
      const eventId = await this.say(text);
      expect((await this.wire.why(eventId, 'lead')).decision?.policy, text).toBe('must_not_respond');
      expect(this.lead.seen.map((one) => one.eventId)).not.toContain(eventId);
    }
  }

  async heard(...texts: readonly string[]): Promise<void> {
    for (const text of texts) {
      const eventId = await this.say(text);
      await this.lead.next((one) => one.eventId === eventId, text);
    }
  }

  /** What was posted last, and that it started no turn. */
  async asked(text: string): Promise<string | undefined> {
    const eventId = await this.say(text);
    expect((await this.wire.why(eventId, 'lead')).decision?.policy, text).toBe('ack_only');
    expect(this.lead.seen.map((one) => one.eventId)).not.toContain(eventId);
    return this.wire.platform.texts().at(-1);
  }
}

async function talk(way: Way, line: Line = {}): Promise<Talk> {
  const answer = { onTurn: () => 'It is green.' };
  const { wire, agent } = await hostWith(way, 'lead', {}, answer);
  return new Talk(wire, agent, line);
}

describe.each(WAYS)('over %s', (way) => {
  it.each([
    'ok thanks! could you please leave this channel? we would like to talk in private',
    'hey @lead can you please leave this channel? thanks!',
  ])(
    'leave: %s [C2A-06-24/leave/channel-on-request, C2A-06-24/leave/acknowledged-once, C2A-06-24/leave/stays-out, C2A-06-24/leave/returns-on-mention]',
    async (text) => {
      const t = await talk(way);
      await t.exchange('@lead is the deploy blocked?');
      expect(await t.asked(text)).toBe(leaves);
      await t.unheard('so, what about the budget?', 'lead, are you there?', 'production is down');
      expect(t.wire.platform.texts()).toHaveLength(2);
      await t.heard('@lead is staging up?', 'and production?');
    },
  );

  it('stop, unnamed in the exchange, and come back', async () => {
    const t = await talk(way);
    await t.exchange('@lead is the deploy blocked?');
    expect(await t.asked('please stop replying here, we can take it from here')).toBe(stops);
    await t.unheard('so, what about the budget?', 'can you believe it?');
    await t.heard('@lead is staging up?');
    await t.unheard('and production?');
    expect(await t.asked('lead, you can talk again')).toBe(normal);
    await t.heard('lead: is staging up?', 'and production?');
  });

  it('quieter, in a thread', async () => {
    const t = await talk(way, THREAD);
    await t.exchange('@lead is the deploy blocked?');
    expect(await t.asked('would you mind answering only when somebody mentions you?')).toBe(when_mentioned);
    await t.unheard('so, what about the budget?');
    await t.heard('@lead is staging up?');
  });

  it.each(['please leave', 'ok stop now please', 'only answer when I mention you, ok?'])(
    'in a direct message it is quiet until it is called: %s',
    async (text) => {
      const t = await talk(way, DM);
      await t.exchange('is the deploy blocked?');
      expect(await t.asked(text)).toBe(quiet);
      await t.unheard('so, what about the budget?', 'is anybody there?');
      await t.heard('lead, is staging up?');
      await t.unheard('and production?');
      expect(await t.asked('come back')).toBe(normal);
      await t.heard('and production?');
    },
  );

  it('leave, and something else: it leaves and nothing is lost [C2A-06-24/leave/no-arguing]', async () => {
    const t = await talk(way);
    await t.exchange('@lead is the deploy blocked?');
    const eventId = await t.say('@lead please leave this channel, and send me the report first');
    const seen = await t.lead.next((one) => one.eventId === eventId, 'the other request');
    expect(seen.policy).toBe('must_respond');
    if (way !== 'sdk') expect(await t.lead.reply(seen, 'Here it is.')).toMatchObject({ ok: true });
    const said = way === 'sdk' ? 'It is green.' : 'Here it is.';
    await until(() => t.wire.platform.texts().length === 3, 'the line and the report');
    expect(t.wire.platform.texts().slice(1).toSorted()).toEqual([said, leaves].toSorted());
    await t.unheard('lead, and the other report?');
    if (way !== 'sdk')
      expect(await t.lead.reply(seen, 'One more thing.')).toMatchObject({ ok: false, name: 'left' });
  });

  it('sentences that only hold the words are requests like any other', async () => {
    const t = await talk(way);
    await t.exchange('@lead is the deploy blocked?');
    await t.heard('please leave a comment on the ticket', 'stop the deploy of search please');
    expect(t.wire.platform.texts().filter((text) => text.startsWith('Okay'))).toEqual([]);
  });
});

describe('a turn under way', () => {
  it('is cancelled by a stop that names nobody, and what it then sends is refused [C2A-06-02/cancel/running-turn]', async () => {
    const { wire, agent: lead } = await hostWith('websocket', 'lead');
    await wire.say('@lead is the deploy blocked?');
    await wire.pass(STEP_MS);
    const seen = await lead.next(({ text }) => text.includes('blocked'));
    await lead.request('turn/started', { turnId: 't1', eventIds: [seen.eventId] });
    await wire.pass(STEP_MS);
    await wire.say('ok stop now please, thanks');
    await until(
      () => lead.notes.some(({ method }) => method === 'notifications/cancelled'),
      'the cancellation',
    );
    expect(await lead.reply(seen, 'No.', { turnId: 't1' })).toMatchObject({ ok: false, name: 'fenced' });
    await wire.pass(1);
    expect(wire.platform.texts()).toEqual([stops]);
  });

  it('goes on after a bare stop that may be for somebody who spoke in between', async () => {
    const { wire, agent: lead } = await hostWith('websocket', 'lead');
    await wire.say('@lead is the deploy blocked?');
    await wire.pass(STEP_MS);
    const seen = await lead.next(({ text }) => text.includes('blocked'));
    await wire.pass(STEP_MS);
    await wire.say('I will restart search now', { by: 'ben' });
    await wire.pass(STEP_MS);
    const bare = await wire.say('stop!');
    await wire.pass(STEP_MS);
    expect((await lead.next((one) => one.eventId === bare)).policy).toBe('may_respond');
    expect(await lead.reply(seen, 'No.')).toMatchObject({ ok: true });
  });
});
