// What people mean, as the agent gets it: thanks to an open question are an answer, thanks otherwise start nothing,
// agreement is no question, and thanking somebody else on request is work.
import { afterAll, describe, expect, it } from 'vitest';
import { roomHost, type RoomHost, type Told, type WireRoom } from './room.ts';
import { hostWith, WAYS } from './ways.ts';

const STEP_MS = 4_000;

describe.each(WAYS)('over %s', (way) => {
  it('thanks while the agent’s question is open reach it as the answer', async () => {
    const question = 'Is it the staging host?';
    const { wire, agent: lead } = await hostWith(way, 'lead', {}, { onTurn: () => question });
    const asked = await wire.say('@lead please restart the host');
    await wire.pass(STEP_MS);
    const seen = await lead.next((one) => one.eventId === asked, 'the request');
    if (way !== 'sdk') expect(await lead.reply(seen, question)).toMatchObject({ ok: true });
    await wire.pass(STEP_MS);
    const answer = await wire.say('That is correct, thanks.');
    await wire.pass(STEP_MS);
    expect(await lead.next((one) => one.eventId === answer, 'the answer')).toMatchObject({
      policy: 'must_respond',
    });
    expect((await wire.why(answer, 'lead')).decision).toMatchObject({ intent: 'approval' });
  });

  it('thanks for patience, for a report and for nothing start no turn', async () => {
    const { wire, agent: lead } = await hostWith(
      way,
      'lead',
      {},
      { onTurn: () => 'Looking at it now, a moment please.' },
    );
    const asked = await wire.say('@lead please restart the host');
    await wire.pass(STEP_MS);
    const seen = await lead.next((one) => one.eventId === asked, 'the request');
    if (way !== 'sdk')
      expect(await lead.reply(seen, 'Looking at it now, a moment please.')).toMatchObject({ ok: true });
    await wire.pass(STEP_MS);
    const thanks = await wire.say('thanks!');
    await wire.pass(STEP_MS);
    expect((await wire.why(thanks, 'lead')).decision).toMatchObject({ policy: 'ack_only', intent: 'thanks' });
    expect(lead.seen.map((one) => one.eventId)).not.toContain(thanks);
  });

  it('to thank somebody for a person is a request', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead', {}, { onTurn: () => undefined });
    const asked = await wire.say('@lead thank the team for me please');
    await wire.pass(STEP_MS);
    expect(await lead.next((one) => one.eventId === asked, 'the request')).toMatchObject({
      policy: 'must_respond',
    });
    expect((await wire.why(asked, 'lead')).decision).toMatchObject({ intent: 'request' });
  });
});

interface Words {
  /** The agent's question, and thanks that say yes to it. */
  asks: string;
  consents: string;
  /** Thanks alone are an answer too. */
  thanks: string;
  patience: string;
  agrees: readonly string[];
  passOn: string;
}

const WORDS: Record<string, Words> = {
  en: {
    asks: 'Shall I restart the staging host?',
    consents: 'That is correct, thanks.',
    thanks: 'thanks a lot',
    patience: 'Bear with me please.',
    agrees: ["that's exactly right.", 'uh-huh'],
    passOn: 'say thanks to the team for me please',
  },
  es: {
    asks: '¿Reinicio el servidor de pruebas?',
    consents: 'Sí, es correcto, gracias.',
    thanks: 'muchas gracias',
    patience: 'Un momento, por favor.',
    agrees: ['eso es correcto.', 'ajá'],
    passOn: 'dale las gracias al equipo de mi parte',
  },
  fr: {
    asks: 'Je redémarre le serveur de test ?',
    consents: 'Oui, c’est exact, merci.',
    thanks: 'merci beaucoup',
    patience: 'Un instant, s’il te plaît.',
    agrees: ['c’est exactement ça.', 'c’est vrai.'],
    passOn: 'remercie l’équipe pour moi stp',
  },
  de: {
    asks: 'Soll ich den Testserver neu starten?',
    consents: 'Das ist richtig, danke.',
    thanks: 'vielen dank',
    patience: 'Einen Moment bitte.',
    agrees: ['das ist genau richtig.', 'mhm'],
    passOn: 'bedanke dich bitte beim Team für mich',
  },
  pt: {
    asks: 'Reinicio o servidor de testes?',
    consents: 'Está certo, obrigado.',
    thanks: 'muito obrigada',
    patience: 'Um momento, por favor.',
    agrees: ['está certo.', 'uhum'],
    passOn: 'agradeça ao time por mim',
  },
  ja: {
    asks: 'テストサーバーを再起動しましょうか？',
    consents: 'その通りです、ありがとうございます。',
    thanks: 'ありがとうございます',
    patience: '少々お待ちください。',
    agrees: ['その通りです', 'うんうん'],
    passOn: 'みんなにありがとうと伝えて',
  },
  ko: {
    asks: '테스트 서버를 재시작할까요?',
    consents: '네 맞아요, 감사합니다.',
    thanks: '정말 감사합니다',
    patience: '잠시만 기다려 주세요.',
    agrees: ['정확해요', '응응'],
    passOn: '모두에게 고맙다고 전해줘',
  },
  zh: {
    asks: '要我重启测试服务器吗？',
    consents: '没错，谢谢。',
    thanks: '非常感谢',
    patience: '请稍等。',
    agrees: ['完全正确', '嗯哼'],
    passOn: '替我谢谢团队',
  },
};

const told = async (room: WireRoom, text: string): Promise<Told> => (await room.say('ann', text)).of('nova');

describe.each(Object.entries(WORDS))(
  'in %s',
  (_language, { asks, consents, thanks, patience, agrees, passOn }) => {
    let host: Promise<RoomHost> | undefined;
    const ends: (() => Promise<void> | void)[] = [];
    afterAll(async () => {
      for (const end of ends.toReversed()) await end();
    });
    /** A room in which the agent has just said that. */
    const after = async (said: string): Promise<WireRoom> => {
      host ??= roomHost({ agents: [{ id: 'nova' }], finished: (end) => ends.push(end) });
      const room = (await host).room();
      await room.say('ben', 'good morning');
      const request = await room.say('ann', '@nova the host is slow');
      await request.of('nova');
      await room.say('nova', said, { inReplyTo: request });
      return room;
    };

    it('thanks to an open question are its answer', async () => {
      expect(await told(await after(asks), consents)).toMatchObject({
        intent: 'approval',
        policy: 'must_respond',
      });
      expect(await told(await after(asks), thanks)).toMatchObject({
        intent: 'answer',
        policy: 'must_respond',
      });
    });

    it('thanks after a plea for patience start nothing', async () => {
      expect(await told(await after(patience), thanks)).toMatchObject({ intent: 'thanks', seen: undefined });
    });

    it('agreement is no question, and starts nothing', async () => {
      for (const text of agrees)
        expect(await told(await after('Done.'), text), text).toMatchObject({
          intent: 'ack',
          seen: undefined,
        });
    });

    it('to thank somebody else is a request', async () => {
      expect(await told(await after('Done.'), passOn)).toMatchObject({
        intent: 'request',
        policy: 'must_respond',
      });
    });
  },
);
