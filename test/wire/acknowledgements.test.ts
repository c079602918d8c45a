// What the host promises when it obeys is what then happens: for each mode, in each kind of conversation, and in the
// language of the request.
import { describe, expect, it } from 'vitest';
import { asksSomething, readText } from '../../src/attention/intent/intent.ts';
import { foldText } from '../../src/attention/text.ts';
import { SENTENCES } from '../../src/host/attend/acknowledgements.ts';
import { roomHost, type RoomHost, type WireRoom } from './room.ts';

type Language = keyof typeof SENTENCES;
type Kind = 'channel' | 'thread' | 'dm';
interface Request {
  says: string;
  line: keyof (typeof SENTENCES)['en'];
  /** The same in a direct message. */
  direct: keyof (typeof SENTENCES)['en'];
  /** In a thread, where it differs. */
  inThread?: keyof (typeof SENTENCES)['en'];
}

const ask = (leave: string, stop: string, quieter: string, back: string, follow: string): Request[] => [
  { says: leave, line: 'leaves', direct: 'quiet' },
  { says: stop, line: 'stops', direct: 'quiet' },
  { says: quieter, line: 'when_mentioned', direct: 'quiet' },
  { says: back, line: 'normal', direct: 'normal' },
  { says: follow, line: 'follows_threads', direct: 'normal', inThread: 'follows' },
];

const REQUESTS: Record<Language, Request[]> = {
  en: ask(
    'could you leave, please? thanks!',
    'please stop replying',
    'please only answer when you are mentioned',
    'you can talk again now',
    'please follow this thread',
  ),
  es: ask(
    '¿podrías irte, por favor? ¡gracias!',
    'deja de responder, por favor',
    'por favor, responde solo cuando te mencione',
    'ya puedes volver a hablar',
    'sigue este hilo por favor',
  ),
  fr: ask(
    'tu peux partir maintenant, merci !',
    "arrête de répondre s'il te plaît",
    'réponds seulement quand on te mentionne',
    'tu peux reparler maintenant',
    'suis ce fil stp',
  ),
  de: ask(
    'könntest du bitte gehen? danke!',
    'hör bitte auf zu antworten',
    'antworte bitte nur, wenn man dich erwähnt',
    'du kannst wieder reden',
    'folge bitte diesem Thread',
  ),
  pt: ask(
    'você poderia sair, por favor? obrigado!',
    'pare de falar por favor',
    'responda só quando eu te mencionar',
    'pode voltar a falar',
    'siga esta conversa por favor',
  ),
  ja: ask(
    '退出していただけますか？ありがとうございます',
    'もう返信しないでください',
    'メンションした時だけ返事してください',
    'また話していいですよ',
    'このスレッドをフォローしてください',
  ),
  ko: ask(
    '이제 나가 주시겠어요? 감사합니다',
    '더 이상 답하지 마세요',
    '멘션할 때만 대답해 주세요',
    '이제 다시 말해도 돼요',
    '이 스레드 지켜봐줘',
  ),
  zh: ask('请离开这个频道，谢谢', '请停止回复', '请只在我提到你时回复', '你可以继续说话了', '请关注这个话题'),
};

const LANGUAGES = Object.keys(REQUESTS) as Language[];

async function roomOf(host: RoomHost, kind: Kind): Promise<WireRoom> {
  const room = kind === 'dm' ? host.room({ kind: 'dm' }) : host.room();
  const here = kind === 'thread' ? room.thread() : room;
  if (kind !== 'dm') await here.say('ben', 'good morning');
  const asked = await here.say('ann', '@nova is it up?');
  await asked.of('nova');
  await here.say('nova', 'It is.', { inReplyTo: asked });
  return here;
}

/** Whether it reaches the agent. */
async function wakes(room: WireRoom, text: string, by = 'ann'): Promise<boolean> {
  const { seen } = await (await room.say(by, text)).of('nova');
  return seen !== undefined;
}

/** What the sentence says will happen. Each is tried. */
const KEPT: Record<string, (room: WireRoom, kind: Kind, back: string) => Promise<void>> = {
  async leaves(room) {
    expect(await wakes(room, 'is it up?')).toBe(false);
    expect(await wakes(room, 'nova, is it up?')).toBe(false);
    expect(await wakes(room, '@nova is it up?')).toBe(true);
    expect(await wakes(room, 'and now?')).toBe(true);
  },
  async stops(room) {
    expect(await wakes(room, 'is it up?')).toBe(false);
    expect(await wakes(room, '@nova is it up?')).toBe(true);
    expect(await wakes(room, 'and now?')).toBe(false);
  },
  when_mentioned: (room, kind, back) => KEPT['stops']?.(room, kind, back) ?? Promise.resolve(),
  async quiet(room, _kind, back) {
    expect(await wakes(room, 'is it up?')).toBe(false);
    expect(await wakes(room, 'nova, is it up?')).toBe(true);
    expect(await wakes(room, 'and now?')).toBe(false);
    await room.say('ann', back);
    expect(await wakes(room, 'and now?')).toBe(true);
  },
  async normal(room) {
    expect(await wakes(room, '@nova is it up?')).toBe(true);
    expect(await wakes(room, 'and now?')).toBe(true);
  },
  async follows(room) {
    expect(await wakes(room, 'the disk is nearly full', 'ben')).toBe(true);
  },
  async follows_threads(room) {
    expect(await wakes(room, 'the disk is nearly full', 'ben')).toBe(false);
    expect(await wakes(room, '@nova is it up?')).toBe(true);
  },
};

/** The words in quotation marks. */
const quoted = (text: string): string => /["“「]([^"”」]+)["”」]/.exec(text)?.[1] ?? '';

describe.each(LANGUAGES)('asked in %s', (language) => {
  it.each(['channel', 'thread', 'dm'] as const)(
    'a %s gets a line in that language, and it is kept',
    async (kind) => {
      const host = await roomHost({ agents: [{ id: 'nova' }] });
      for (const { says, line, direct, inThread = line } of REQUESTS[language]) {
        const room = await roomOf(host, kind);
        const request = await room.say('ann', `@nova ${says}`);
        expect(await request.of('nova'), says).toMatchObject({ policy: 'ack_only', seen: undefined });
        await room.wait(1);
        const sentence = kind === 'dm' ? direct : kind === 'thread' ? inThread : line;
        expect(host.wire.platform.texts().at(-1), says).toBe(SENTENCES[language][sentence]);
        // What happens does not depend on the language, but for the words that bring the agent back.
        if (language === 'en' || sentence === 'quiet')
          await KEPT[sentence]?.(room, kind, quoted(SENTENCES[language].quiet));
      }
    },
  );

  it('its lines ask for nothing, and the words that they quote bring the agent back', () => {
    for (const line of Object.values(SENTENCES[language]))
      expect(asksSomething(foldText(line)), line).toBe(false);
    const text = quoted(SENTENCES[language].quiet);
    expect(readText({ text, folded: foldText(text), authorKind: 'human' }).asks).toMatchObject({
      mode: 'auto',
    });
  });
});
