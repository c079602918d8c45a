// Names without an @, in eight languages: which call, which stand for a mention, and which are talk about somebody. Each
// line is said in a room with two agents and two people who have spoken; nobody is talking with anybody.
import { describe, expect, it } from 'vitest';
import { type Outcome, type Room, room } from './room.ts';

const AGENTS = [{ id: 'lead', aliases: ['リード', '리드', '小领'] }, 'builder'];

/** Bob and Jane have spoken, to nobody, long enough ago. */
function chat(): Room {
  const r = room({ agents: AGENTS, stepMs: 60_000 });
  r.say('bob', 'morning');
  r.say('jane', 'morning');
  return r;
}

const said = (text: string): Outcome => chat().say('ann', text);
const lines = (text: string): string[] => text.trim().split(/\s*\n\s*/);

/** Must be answered, as a mention. */
const HAILS: Record<string, string> = {
  en: `lead: is the deploy blocked?
    lead, please restart the job
    hey lead, can you look?
    Hi Lead: what failed?
    ok thanks lead, can you also check staging?
    so, lead: what now?
    👋 lead, can you look?
    lead and builder: can you both look?
    Lead, builder, can you two have a look?
    good morning lead, could you review my branch
    (lead, are you there?)
    **lead**, are you there?
    hi all, lead: can you look?
    lead, can you explain this? \`npm run x\``,
  es: `lead: ¿está bloqueado el despliegue?
    hola lead, ¿puedes mirar?
    ¿lead, puedes mirar?
    lead, reinicia el trabajo por favor`,
  fr: `lead : peux-tu regarder ?
    bonjour lead, tu peux vérifier ?
    lead, relance le job s'il te plaît`,
  de: `lead: kannst du nachsehen?
    hallo lead, bitte starte den Job neu
    hallo zusammen, lead: kannst du nachsehen?
    lead, warum ist der Build rot?`,
  pt: `lead: você pode olhar?
    oi lead, pode verificar?
    lead, reinicie o serviço por favor`,
  ja: `リード、デプロイは止まっていますか？
    リードさん、確認してください
    リード：確認をお願いできますか
    こんにちは、リードさん、何が起きましたか`,
  ko: `리드야, 확인해 줄래?
    리드님, 배포가 왜 막혔나요?
    안녕하세요 리드님, 확인해 주세요`,
  zh: `小领，部署为什么卡住了？
    小领：请检查一下
    你好小领，能看一下吗？`,
};

/** Engages, and obliges to nothing. */
const CALLS: Record<string, string> = {
  en: `lead can you look?
    lead what failed?
    lead is it green
    lead is there a way to skip it
    lead did you see the alert?
    lead can we go on
    lead could be the cache
    lead will you be there
    can you look, lead?
    what do you think lead?
    could you restart it please lead :)
    lead: the build is green
    lead, I have pushed the fix
    lead the build is red
    lead - the build is red
    <lead> the build is red
    @ lead : the build is red
    lead?
    lead!
    hey lead
    prod is on fire, lead
    the build is red again... lead?
    look at this lead and builder`,
  es: `¿puedes mirar, lead?
    lead mira esto
    ¿qué opinas lead?`,
  fr: `tu peux regarder, lead ?
    lead tu en penses quoi ?`,
  de: `kannst du nachsehen, lead?
    lead schau mal bitte
    was meinst du lead?`,
  pt: `você pode olhar, lead?
    lead olha isso
    o que você acha lead?`,
  ja: `確認してください、リードさん
    リードさんちょっと見て
    リード 確認して
    リード見てください
    見てください、リード`,
  ko: `확인해 줘 리드야
    리드 이거 봐줘
    이거 봐주세요, 리드님`,
  zh: `小领请看一下
    看一下，小领
    小领 看一下
    小领你来看看
    小领在吗？
    小领能帮我看看吗？`,
};

/** Talk about somebody: it aims nothing, at nobody. */
const TALK: Record<string, string> = {
  en: `we need to lead by example
    the builder did a good job yesterday
    builder did a good job yesterday
    the builder is down again
    lead is down again
    lead said it would be done by noon
    lead has the keys
    lead restarted it last week too
    but lead can do it
    lead's build is broken
    lead’s build is broken
    has anyone seen lead?
    did anybody ask lead
    i talked to lead
    I gave it to the builder
    thanks to lead
    who is lead?
    who takes the lead?
    is lead down again
    i think lead will do it
    did lead answer you?
    lead and I talked about it
    lead will be replaced next year
    lead can't do that
    lead should know
    lead just posted it
    lead breaks everything
    lead (the agent) is down
    lead is down, can you look?
    lead said you are slow
    lead did a good job yesterday, right?
    our new lead
    see path/to/lead
    it says "lead"
    owner: lead
    restart builder
    leading by example is hard
    mislead
    lead-2 is red
    lead.example is down
    mail lead@example.com`,
  es: `el lead hizo un buen trabajo
    lead hizo un buen trabajo ayer
    hablé con lead
    ¿alguien ha visto a lead ayer?
    lead no funciona
    según lead`,
  fr: `le lead a bien travaillé
    lead a fait du bon travail hier
    j'ai parlé avec lead
    lead ne marche plus
    c'est pour lead`,
  de: `der Lead hat gestern gut gearbeitet
    lead hat gestern gut gearbeitet
    frag lead
    frag mal lead
    lead funktioniert nicht
    ich habe mit lead gesprochen
    das ist von lead`,
  pt: `o lead fez um bom trabalho
    lead fez um bom trabalho ontem
    falei com lead
    pergunta pro lead
    lead não funciona
    isso é do lead`,
  ja: `リードは昨日よくやった
    昨日リードが直した
    リードさんは休みです
    リードの変更です
    昨日はリードさんと話した`,
  ko: `리드가 어제 잘했어
    리드는 쉬는 날이야
    어제 리드한테 물어봤어
    리드의 변경이야`,
  zh: `小领昨天做得很好
    昨天小领修好了
    我问了小领
    小领是谁`,
};

const each = (table: Record<string, string>): [string, string][] =>
  Object.entries(table).flatMap(([language, text]) =>
    lines(text).map((line): [string, string] => [language, line]),
  );

describe('a name first, with a colon or comma, before what expects an answer, is a mention', () => {
  it.each(each(HAILS))('(%s) %s', (_language, text) => {
    expect(said(text).of('lead')).toMatchObject({
      directedness: 'to_me',
      policy: 'must_respond',
      reason: 'mention',
      trace: { rung: 'mention', facts: { hailed: true } },
    });
  });
});

describe('a plain name at the start or the end engages and obliges nobody', () => {
  it.each(each(CALLS))('(%s) %s', (_language, text) => {
    expect(said(text).of('lead')).toMatchObject({
      directedness: 'to_me',
      policy: 'may_respond',
      mode: 'buffered',
      trace: { rung: 'name', row: 'named' },
    });
  });

  it.each([
    'thanks lead',
    'gracias lead',
    'danke lead',
    'merci lead',
    'ありがとう、リードさん',
    '谢谢小领',
    '고마워 리드야',
  ])('%s: thanks are acknowledged', (text) => {
    expect(said(text).of('lead')).toMatchObject({ directedness: 'to_me', policy: 'ack_only' });
  });
});

describe('talk about somebody aims nothing, for nobody', () => {
  it.each(each(TALK))('(%s) %s', (_language, text) => {
    const outcome = said(text);
    for (const agent of ['lead', 'builder']) {
      expect(outcome.of(agent)).toMatchObject({ directedness: 'ambient', policy: 'must_not_respond' });
    }
  });

  it('nor does it end the exchange it is said in', () => {
    const r = chat();
    const asked = r.say('ann', '@builder is it green?');
    r.say('builder', 'Yes.', { inReplyTo: asked });
    const next = r.say('ann', 'did lead look at it?');
    expect(next.of('builder')).toMatchObject({ policy: 'must_respond', reason: 'exchange' });
    expect(next.of('lead').directedness).not.toBe('to_me');
  });
});

describe('a name that leads wins', () => {
  it.each([
    'jane: did lead answer you?',
    'jane: did builder answer you?',
    'Jane, what do you think, lead?',
    'jane, lead is down',
    'hey jane, ask lead',
    '@jane what do you think, lead?',
    '@somebody what do you think, lead?',
    'bob and jane, can lead do it?',
    'jane: lead and builder are down',
    'jane, lead can do that',
  ])('%s', (text) => {
    for (const agent of ['lead', 'builder']) {
      expect(said(text).of(agent)).toMatchObject({ directedness: 'to_other', reason: 'addressed_elsewhere' });
    }
  });

  it('over the exchange too, and becomes the new one', () => {
    const r = chat();
    const asked = r.say('ann', '@lead is it green?');
    r.say('lead', 'Yes.', { inReplyTo: asked });
    expect(r.say('ann', 'jane: did lead answer you?').of('lead').directedness).toBe('to_other');
    expect(r.say('ann', 'so, did it?').of('lead').directedness).not.toBe('to_me');
  });

  it('by the first name of a longer one', () => {
    const r = room({ agents: AGENTS, stepMs: 60_000 });
    r.say('U7', 'morning', { displayName: 'Jane Doe' });
    expect(r.say('ann', 'jane: did lead answer you?').of('lead').directedness).toBe('to_other');
  });

  it('of two agents, the one that comes first', () => {
    const outcome = said('lead: did builder answer you?');
    expect(outcome.of('lead').policy).toBe('must_respond');
    expect(outcome.of('builder')).toMatchObject({ directedness: 'to_other', policy: 'must_not_respond' });
  });
});

describe('a live exchange obliges', () => {
  it.each(['lead is it green now?', 'is it green now, lead?', 'did lead finish it?'])(
    'also when the message has the name of the agent: %s',
    (text) => {
      const r = chat();
      const asked = r.say('ann', '@lead is it green?');
      r.say('lead', 'Not yet.', { inReplyTo: asked });
      expect(r.say('ann', text).of('lead')).toMatchObject({ policy: 'must_respond', reason: 'exchange' });
    },
  );
});

/** Ann and lead are talking. */
function talking(): Room {
  const r = chat();
  const asked = r.say('ann', '@lead is it green?');
  r.say('lead', 'Not yet.', { inReplyTo: asked });
  return r;
}

describe('talk about a person, put to the agent that the author talks with, stays with the agent', () => {
  it.each([
    'jane is out today, can you take it?',
    'Jane says it is broken. is it?',
    'jane said you are slow today, is that so?',
    'jane did it, right?',
    'bob wants the link, can you send it?',
    "jane's build fails, why?",
    'can you tell jane?',
    'jane@example.com is the address, can you add it?',
    'clone git.example.com/@jane, can you?',
  ])('%s', (text) => {
    expect(talking().say('ann', text).of('lead')).toMatchObject({
      directedness: 'to_me',
      reason: 'exchange',
    });
  });

  it.each([
    'jane can you take it?',
    'jane are you sure?',
    'jane, is it broken?',
    'can you take it, jane?',
    'can you take it @jane?',
    'who takes it? @bob maybe',
  ])('but not what is put to them: %s', (text) => {
    expect(talking().say('ann', text).of('lead')).toMatchObject({ directedness: 'to_other' });
  });
});

/** Lead has answered Ann; somebody called so has spoken. */
function withSomebody(name: string): Room {
  const r = room({ agents: AGENTS, stepMs: 60_000 });
  r.say('U7', 'good morning everybody', { displayName: name });
  const asked = r.say('ann', '@lead is it green?');
  r.say('lead', 'It is. Shall I deploy?', { inReplyTo: asked });
  return r;
}

describe('a name that is an everyday word', () => {
  it.each([
    ['Ok', 'ok'],
    ['Ok', 'ok, thanks'],
    ['Ok', 'ok do it'],
    ['Ok', 'that is ok'],
    ['Will', 'will it take long?'],
    ['Will', 'I hope it will'],
    ['May', 'may I see it first?'],
    ['An', 'an hour from now'],
    ['Hope', 'hope it works'],
    ['Max', 'max three retries please'],
    ['Mark', 'mark it as done please'],
    ['Gut', 'gut'],
    ['Si', 'sí'],
    ['Oui', 'oui'],
    ['好的', '好的'],
  ])('%s does not swallow "%s"', (name, text) => {
    expect(withSomebody(name).say('ann', text).of('lead')).toMatchObject({
      directedness: 'to_me',
      trace: { rung: 'exchange' },
    });
  });

  it.each([
    ['Ok', 'Ok: can you look?'],
    ['Ok', 'Ok, can you look?'],
    ['Ok', '@Ok can you look?'],
    ['Will', 'Will, can you look?'],
    ['May', 'May: the build is red'],
    ['An', '@an look'],
  ])('%s is called with a mark: "%s"', (name, text) => {
    expect(withSomebody(name).say('ann', text).of('lead')).toMatchObject({
      directedness: 'to_other',
      reason: 'addressed_elsewhere',
    });
  });
});

describe('what only shows a mention or a name', () => {
  it.each([
    'run `@lead deploy` twice',
    'look:\n```\n@lead please restart\n```',
    'look:\n~~~\n@lead please restart\n~~~',
    'the log:\n\n    @lead please restart',
    '> @lead please restart\nwho wrote that',
    '&gt; lead: please restart\nwho wrote that',
    '`lead: can you look?`',
    'see https://git.example.com/@lead/repo',
    'see git.example.com/@lead',
    '<https://example.com/@lead|the profile>',
    'install @lead/core first',
    'it printed ``lead, can you look?``',
    '> lead, can you look?',
  ])('mentions and calls nobody: %j', (text) => {
    expect(said(text).of('lead')).toMatchObject({ directedness: 'ambient', policy: 'must_not_respond' });
  });

  it.each([
    ['`is it green?`', 'statement'],
    ['> is it green?\nthis line', 'statement'],
    ['```\nplease stop\n```', 'statement'],
    ['thanks for `that`', 'statement'],
    ['> is it green?\nthanks', 'thanks'],
  ])('has no intent of its own: %j', (text, intent) => {
    expect(said(text).of('lead').intent).toBe(intent);
  });

  it('names joined by a slash are mentions', () => {
    const outcome = said('@lead/@builder is it green?');
    for (const agent of ['lead', 'builder']) expect(outcome.of(agent).policy).toBe('must_respond');
    expect(said('@lead/builder is it green?').of('lead').policy).toBe('must_respond');
  });

  it('code in front of a name with a mark is what the name is asked about', () => {
    expect(said('```\nx\n```\nlead, can you explain this?').of('lead').policy).toBe('must_respond');
    expect(said('`x` lead to the crash').of('lead').directedness).toBe('ambient');
  });

  it('but what the platform calls a mention is one', () => {
    const outcome = chat().say('ann', 'run `@lead deploy`', { mentions: ['lead'] });
    expect(outcome.of('lead')).toMatchObject({ reason: 'mention', policy: 'must_respond' });
  });
});
