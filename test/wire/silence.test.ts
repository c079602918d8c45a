// The word for silence never reaches chat, whatever brings it: a tool call over any way, the SDK, a webhook's answer.
import { describe, expect, it } from 'vitest';
import { until, wireHost } from './host.ts';
import { harness, hostWith, replyTo, WAYS, webhookFor } from './ways.ts';

const SILENT = ['NO_REPLY', 'no_reply', '[NO_REPLY]', '**NO_REPLY**.', '"NO_REPLY"', 'NO_REPLY\nNot for me.'];

describe.each(WAYS)('over %s', (way) => {
  it('a send of the word is refused, and the agent is told that silence is the absence of a call', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead');
    await wire.say('@lead which word means silence?');
    await wire.pass(3_000);
    const seen = await lead.next((one) => one.text.includes('which word'));
    for (const text of SILENT) {
      const refused = await lead.tool('chat.send_message', replyTo(seen, text));
      expect(refused, text).toMatchObject({ ok: false, name: 'silence' });
      expect(refused.ok ? '' : refused.message).toContain('silence is the absence of a call');
    }
    // The event is not answered by that: its answer still counts as the first.
    const about = 'The token NO_REPLY means silence.';
    expect(await lead.tool('chat.send_message', replyTo(seen, about))).toMatchObject({ ok: true });
    await until(() => wire.platform.texts().length > 0, 'the answer');
    expect(wire.platform.texts()).toEqual([about]);
  });

  it('the word at the end of a text is left out of it', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead');
    await wire.say('@lead is the deploy blocked?');
    await wire.pass(3_000);
    const seen = await lead.next((one) => one.text.includes('blocked'));
    await lead.tool('chat.send_message', replyTo(seen, 'It is not.\n\n[NO_REPLY]'));
    await until(() => wire.platform.texts().length > 0, 'the answer');
    expect(wire.platform.texts()).toEqual(['It is not.']);
  });
});

describe('an agent that answers with text', () => {
  it.each(SILENT)('over the SDK, %j is silence', async (text) => {
    const { wire, agent: lead } = await hostWith('sdk', 'lead', {}, { onTurn: () => text });
    const eventId = await wire.say('@lead is the deploy blocked?');
    await wire.pass(6_000);
    await lead.next((one) => one.notices.includes('reminder'), 'the reminder after a silent turn');
    expect(lead.seen[0]).toMatchObject({ eventId });
    expect(wire.platform.arrived).toEqual([]);
  });

  it.each(SILENT)('by webhook, {"reply": %j} is silence', async (text) => {
    const webhook = await webhookFor('lead', () => ({ reply: text }));
    const wire = await wireHost({ host: { webhooks: [webhook] } });
    const lead = await harness(wire, 'lead', 'webhook');
    await wire.say('@lead is the deploy blocked?');
    await wire.pass(3_000);
    await lead.next((one) => one.notices.includes('reminder'), 'the reminder after a silent turn');
    expect(wire.platform.arrived).toEqual([]);
  });
});
