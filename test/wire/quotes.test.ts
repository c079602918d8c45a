// Private stays private: words that an agent has read where the readers of a message cannot read wait for a person's
// agreement, whether or not the message names what it answers. Whoever could read them anyway needs no agreement.
import { describe, expect, it } from 'vitest';
import type { Line, WireHost, WireHostOptions } from './host.ts';
import { hostWith, type ToolResult, WAYS, type WireHarness } from './ways.ts';

const SECRET = 'I will leave the company in March, and nobody but Carol knows about it yet.';
const DM: Line = { in: 'D1', kind: 'dm' };

let keys = 0;

/** A message that names nothing it answers. */
function post(lead: WireHarness, target: string, text: string, more: object = {}): Promise<ToolResult> {
  const [kind = 'channel'] = target.split(':');
  return lead.tool('chat.send_message', {
    target,
    text,
    visibility: kind === 'dm' || kind === 'agent' ? 'dm' : kind === 'thread' ? 'thread' : 'channel',
    directedness: 'ambient',
    idempotencyKey: `quote-${++keys}`,
    ...more,
  });
}

/** The lead has read the secret where it was said. */
async function told(way: (typeof WAYS)[number], text = SECRET, line = DM, options: WireHostOptions = {}) {
  const { wire, agent: lead } = await hostWith(way, 'lead', options);
  await wire.say('hello everybody', { by: 'bob' });
  await wire.say(`@lead ${text}`, line);
  await wire.pass(3_000);
  await lead.next((one) => one.text.includes(text), 'what was said');
  return { wire, lead };
}

const waits = { ok: false, name: 'needs_approval' };

describe.each(WAYS)('words of a direct message, over %s', (way) => {
  it('wait in a channel, quoted in part or whole, until a person agrees [C2A-06-02/security/shown-before-private-content]', async () => {
    const { wire, lead } = await told(way);
    expect(await post(lead, 'channel:general', `News: ${SECRET}`)).toMatchObject(waits);
    const part = 'By the way: *and nobody but Carol knows about it yet*!';
    expect(await post(lead, 'channel:general', part)).toMatchObject(waits);
    expect(
      await post(lead, 'channel:general', 'Somebody is going to leave us in spring, I think.'),
    ).toMatchObject({
      ok: true,
    });
    await wire.pass(1_000);
    expect(wire.platform.texts()).toEqual(['Somebody is going to leave us in spring, I think.']);
    const { body } = await wire.call('GET', '/v1/inbox', await wire.token('operator', 'ops'));
    const [item] = body['inbox'] as { key: string; detail: { reason: string } }[];
    expect(item?.detail.reason).toContain('its readers cannot see');
    const path = `/v1/inbox/${encodeURIComponent(item?.key ?? '')}/approve`;
    await wire.call('POST', path, await wire.token('operator', 'ops'));
    await wire.pass(1_000);
    expect(wire.platform.texts()).toContain(`News: ${SECRET}`);
  });

  it('cannot be edited into a message that is shown there', async () => {
    const { wire, lead } = await told(way);
    const sent = await post(lead, 'channel:general', 'There is some news.');
    const eventId = sent.ok ? sent.result['eventId'] : undefined;
    const edit = await lead.tool('chat.edit_message', { eventId, text: `News: ${SECRET}` });
    expect(edit).toMatchObject({ ok: false, name: 'unsupported' });
    expect(edit.ok ? '' : edit.message).toContain('its readers cannot see');
    await wire.pass(1_000);
    expect(wire.platform.shown.filter(({ type }) => type === 'edit')).toEqual([]);
  });

  it('wait when they were pulled by a tool', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead', { agents: [{ id: 'lead' }] });
    await wire.say('hello everybody', { by: 'bob' });
    await wire.say(SECRET, { in: 'ops', by: 'bob' });
    await wire.say('indeed', { in: 'ops', by: 'carol' });
    await wire.pass(3_000);
    expect(lead.seen.filter(({ text }) => text.includes('company'))).toEqual([]);
    expect(await post(lead, 'channel:general', `Somebody guessed: ${SECRET}`)).toMatchObject({ ok: true });
    const read = await lead.tool('chat.read_thread', { target: 'channel:ops' });
    expect(JSON.stringify(read)).toContain('nobody but Carol');
    expect(await post(lead, 'channel:general', `I read: ${SECRET}`)).toMatchObject({ ok: true });
    // The first one told the readers of the channel already. Elsewhere it is news.
    await wire.say('hello', { in: 'third', by: 'dora' });
    expect(await post(lead, 'channel:third', `I read: ${SECRET}`)).toMatchObject(waits);
  });
});

async function spoke(wire: WireHost, where: Line, ...people: string[]): Promise<void> {
  for (const by of people) await wire.say('hello', { ...where, by });
}

function complete(humans: number): Pick<Line, 'more'> {
  return { more: { membership: { humans, complete: true } } };
}

describe('who reads the message', () => {
  const solo = { agents: [{ id: 'lead' }] };

  it('the same person in another direct message needs no agreement', async () => {
    const { wire, lead } = await told('websocket', SECRET, DM, solo);
    await spoke(wire, { in: 'D9', kind: 'dm' }, 'ada');
    expect(await post(lead, 'dm:D9', `You said: ${SECRET}`)).toMatchObject({ ok: true });
    await spoke(wire, { in: 'D8', kind: 'dm' }, 'bob');
    expect(await post(lead, 'dm:D8', `She said: ${SECRET}`)).toMatchObject(waits);
  });

  it('a thread in the same room needs no agreement, and a thread in a direct message is as private', async () => {
    const { wire, lead } = await told('websocket', SECRET, { in: 'T9', thread: 'D1' }, solo);
    await spoke(wire, { in: 'D1', kind: 'dm' }, 'ada');
    expect(await post(lead, 'dm:D1', `You said: ${SECRET}`)).toMatchObject({ ok: true });
    expect(await post(lead, 'channel:general', `She said: ${SECRET}`)).toMatchObject(waits);
  });

  it('a channel may be quoted where all its readers have spoken in it, and waits where others read', async () => {
    const { wire, lead } = await told('websocket', SECRET, { in: 'ops' }, solo);
    await spoke(wire, { in: 'ops' }, 'bob');
    await spoke(wire, { in: 'small', ...complete(2) }, 'ada', 'bob');
    await spoke(wire, { in: 'large', ...complete(3) }, 'ada', 'bob');
    await spoke(wire, { in: 'strange', ...complete(2) }, 'ada', 'eve');
    await spoke(wire, { in: 'unknown' }, 'ada', 'bob');
    const said = `In ops: ${SECRET}`;
    expect(await post(lead, 'channel:small', said)).toMatchObject({ ok: true });
    for (const room of ['large', 'strange', 'unknown'])
      expect(await post(lead, `channel:${room}`, said), room).toMatchObject(waits);
  });

  it('everybody may read the channels of a source that says so', async () => {
    const open = { ...solo, openChannels: true };
    const { wire, lead } = await told('websocket', SECRET, { in: 'ops' }, open);
    await spoke(wire, { in: 'other' }, 'eve');
    expect(await post(lead, 'channel:other', `In ops: ${SECRET}`)).toMatchObject({ ok: true });
    await wire.say(`@lead ${SECRET.replace('March', 'April')}`, DM);
    await wire.pass(3_000);
    expect(await post(lead, 'channel:other', SECRET.replace('March', 'April'))).toMatchObject(waits);
  });

  it('an agent reads where it is bound, and nobody else’s direct messages', async () => {
    const agents = [{ id: 'lead' }, { id: 'builder' }, { id: 'guest', conversations: ['chat/w/elsewhere'] }];
    const { wire, lead } = await told('websocket', SECRET, { in: 'ops' }, { agents });
    const task = { directedness: 'to_me' };
    expect(await post(lead, 'agent:builder', `Please look at this: ${SECRET}`, task)).toMatchObject({
      ok: true,
    });
    expect(await post(lead, 'agent:guest', `Please look at this: ${SECRET}`, task)).toMatchObject(waits);
    const other = SECRET.replace('March', 'April');
    await wire.say(`@lead ${other}`, DM);
    await wire.pass(3_000);
    expect(await post(lead, 'agent:builder', `Please look at that: ${other}`, task)).toMatchObject(waits);
  });

  it.each([
    ['Japanese', '来月で会社を辞めることにしましたが、まだ誰にも話していないので内緒にしてください。'],
    ['Chinese', '我下个月就要离开公司了，除了卡罗尔还没有人知道这件事，请不要告诉别人。'],
    ['Korean', '저는 다음 달에 회사를 그만두기로 했는데 아직 캐롤 말고는 아무도 그 사실을 모릅니다.'],
    ['German', 'Ich verlasse im März die Firma, und außer Carol weiß noch niemand davon.'],
  ])('in %s too', async (_, text) => {
    const { lead } = await told('websocket', text);
    expect(await post(lead, 'channel:general', `» ${text} «`)).toMatchObject(waits);
  });

  it('what the agent said itself, or the room has heard, is no secret', async () => {
    const { wire, lead } = await told(
      'websocket',
      'please tell everybody that we are closed on Monday',
      DM,
      solo,
    );
    const own = 'The office is closed on Monday, and we are all back on Tuesday at nine.';
    expect(await post(lead, 'dm:D1', own)).toMatchObject({ ok: true });
    expect(await post(lead, 'channel:general', own)).toMatchObject({ ok: true });
    await wire.say(SECRET, { by: 'carol' });
    await wire.say(`@lead ${SECRET}`, DM);
    await wire.pass(3_000);
    expect(await post(lead, 'channel:general', `As Carol said: ${SECRET}`)).toMatchObject({ ok: true });
  });
});
