// Calls after the first sentence of a message, in eight languages, beside talk about somebody at the same places. The
// agents are scout and atlas; Maria and Tom have spoken.
import { describe, expect, it } from 'vitest';
import { type Room, room } from './room.ts';

const lines = (text: string): string[] => text.trim().split(/\s*\n\s*/);
/** `|` stands for a new line. */
const said = (line: string): string => line.replaceAll('|', '\n');

function chat(): Room {
  const r = room({ agents: ['scout', 'atlas'], stepMs: 60_000 });
  r.say('maria', 'morning');
  r.say('tom', 'hi all');
  r.say('ann', 'hello');
  return r;
}

const CALLS = lines(`The build is red again. Scout, can you look?
  The build is red again. scout can you look at it
  build is red again, scout can you look
  Prod is slow.|scout: please check the db
  I am out until noon. Scout, please watch the rollout
  tom: thanks for the fix. scout, can you deploy it?
  thanks tom. scout, rerun it please
  tom could you look at the numbers, and scout, can you post the chart?
  tom, merged. and scout please update the changelog
  third: scout, can you take the docs?
  Nice! Scout, what about the docs?
  no idea. scout what do you think?
  That did not work. Scout: try again with -v
  Hmm, weird… scout, any idea?
  1) the db is fine|2) the cache is cold|scout, can you warm it?
  Das Release hängt. Scout, kannst du bitte schauen?
  Habe ich gemerged. Scout, bitte neu bauen
  Je pars. Scout, tu peux vérifier ?
  C’est fait. Scout, relance les tests stp
  Me voy. Scout, ¿puedes revisarlo?
  Listo. scout, ejecuta las pruebas por favor
  Estou saindo. Scout, você pode ver isso?
  Pronto. scout, roda os testes por favor
  壊れました。scout、確認してください
  できた！scoutさん、見てください
  배포가 멈췄어요. scout님, 확인해 주세요
  다 했어요. scout, 테스트 돌려줘
  构建失败了。scout，请看一下
  做好了。scout请看一下`);

const TALK = lines(`Status:|scout: green|maria: red
  The talk was good. Scout, maria and tom all came up
  Not sure. Scout said no, tom said yes
  It broke. Scout, the agent, did it
  We have three agents. Scout, atlas, nova. They work
  Meeting notes. scout: to be replaced
  I asked twice. Scout never answers
  ok. scout is on it, can you wait?
  tom, can you look? scout is stuck
  It is slow again. Scout ran out of quota, can you believe it?
  Two things. Scout should write tests. Can you tell it?
  from the other room:|maria: is it green?|scout: yes, can you check?|maria: thanks
  logs:|scout: connecting to db|scout: please wait
  the other room:|ann: is it green?|scout: can you check?
  Scout <scout@example.com> wrote: please rerun
  scout  10:31 AM|can you look at it?|tom  10:32 AM|sure
  the mail says: scout, can you look?
  tom wrote: scout, can you look?
  She said "It is red. Scout, can you look?" and nobody did
  „Es ist rot. Scout, kannst du schauen?“ hat sie geschrieben
  Agenda:|1. Hiring|2. Scout time|3. Scout pattern
  Some metrics. Scout coverage: 80 %
  I love it! Scout generation up 30 %, can you imagine?
  the plan is fine, scout agrees, you too?
  if it fails, scout will tell you
  as you know, scout can not do that
  my notes, scout says you should wait
  Es ist kaputt. Scout weiß Bescheid
  C’est cassé. Scout le sait déjà
  Está roto. Scout ya lo sabe
  Quebrou. Scout já sabe
  壊れた。scoutは知ってる
  고장났어. scout가 알아?
  坏了，scout说没事`);

describe('a name that a later sentence begins with', () => {
  it.each(CALLS)('calls: %s', (line) => {
    const { directedness, policy } = chat().say('ann', said(line)).of('scout');
    expect([directedness, policy]).toEqual(['to_me', expect.stringMatching(/^(?:must|may)_respond$/)]);
  });

  it.each(TALK)('calls nobody: %s', (line) => {
    expect(chat().say('ann', said(line)).of('scout').directedness).not.toBe('to_me');
  });

  it('calls beside whoever the message is tagged for, and each line of a list calls', () => {
    const tagged = chat().say('ann', '@tom is it ready? scout, can you check the same for Q2?', {
      mentions: ['tom'],
    });
    expect(tagged.of('scout').directedness).toBe('to_me');
    expect(tagged.of('atlas').directedness).toBe('to_other');
    const list = chat().say('ann', 'scout: write the notes\natlas: cut the release');
    expect(list.who('must_respond')).toEqual(['scout', 'atlas']);
  });

  it('takes nothing from whoever comes first', () => {
    const both = chat().say('ann', 'scout, check the db. atlas, check the cache.');
    expect(both.who('must_respond')).toEqual(['scout', 'atlas']);
  });

  it('that is a person’s takes the line away from the exchange', () => {
    const r = chat();
    const asked = r.say('ann', '@scout is it green?');
    r.say('scout', 'It is.', { inReplyTo: asked });
    expect(r.say('ann', 'Good to hear. Tom, can you tell the customer?').of('scout').directedness).toBe(
      'to_other',
    );
  });

  it('is told as such', () => {
    const { trace } = chat().say('ann', 'The build is red. Scout can you look?').of('scout');
    expect(trace).toMatchObject({ rung: 'name', facts: { namedAt: 'later' } });
  });
});
