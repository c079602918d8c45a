// The same words mean something else to an agent that has just asked: "ok" is an approval, any other reply an answer.
// To one that has not asked they are an acknowledgement and start nothing.
import { describe, expect, it } from 'vitest';
import { type Room, room } from './room.ts';

const asking = (text = 'Shall I deploy it?'): Room => {
  const r = room();
  const first = r.say('ann', '@nova is the build green?');
  r.say('nova', text, { inReplyTo: first });
  return r;
};
const telling = (): Room => asking('It is green.');

describe('a reply to an agent', () => {
  it.each([
    ['ok', 'approval', 'ack'],
    ['yes', 'approval', 'ack'],
    ['👍', 'approval', 'ack'],
    ['sí', 'approval', 'ack'],
    ['ja bitte', 'approval', undefined],
    ['はい', 'approval', 'ack'],
    ['네', 'approval', 'ack'],
    ['no', 'rejection', 'statement'],
    ['nein', 'rejection', 'statement'],
    ['the second one', 'answer', 'statement'],
  ])('"%s" is %s when it has asked, and %s when it has not', (text, asked, otherwise) => {
    const answer = asking().say('ann', text).of('nova');
    expect(answer).toMatchObject({
      directedness: 'to_me',
      policy: 'must_respond',
      mode: 'buffered',
      reason: 'exchange',
      intent: asked,
      trace: { row: 'expects_answer' },
    });
    const other = telling().say('ann', text).of('nova');
    if (otherwise !== undefined) expect(other.intent).toBe(otherwise);
    expect(other.policy).not.toBe('must_respond');
  });

  it('that is an approval obliges it; the same word to one that asked nothing is only an acknowledgement [C2A-06-02/matrix/approval, C2A-06-02/immediate/approval, C2A-06-02/matrix/intent-sets-policy]', () => {
    expect(asking().say('ann', '@nova ok').of('nova')).toMatchObject({
      policy: 'must_respond',
      mode: 'buffered',
      intent: 'approval',
    });
    expect(telling().say('ann', '@nova ok').of('nova')).toMatchObject({
      policy: 'ack_only',
      mode: 'silent',
      intent: 'ack',
    });
  });

  it('closes the question: a second "ok" is an acknowledgement', () => {
    const r = asking();
    r.say('ann', 'ok');
    expect(r.say('ann', '@nova ok').of('nova')).toMatchObject({ policy: 'ack_only', intent: 'ack' });
  });

  it('of somebody it has not asked is no approval', () => {
    expect(asking().say('ben', '@nova ok').of('nova').intent).toBe('ack');
  });

  it('keeps what means the same in any context: a cancel, a stop', () => {
    expect(asking().say('ann', '@nova cancel that').of('nova').intent).toBe('cancel');
    expect(asking().say('ann', '@nova stop').of('nova').reason).toBe('stop_request');
  });

  it.each([
    'That is correct, thanks.',
    'Es correcto, gracias.',
    "C'est exact, merci.",
    'Das stimmt, danke.',
    'Está correto, obrigado.',
    'その通りです、ありがとうございます。',
    '맞습니다, 감사합니다.',
    '对的，谢谢。',
  ])('approves with thanks: "%s"', (text) => {
    expect(asking().say('ann', text).of('nova')).toMatchObject({
      policy: 'must_respond',
      intent: 'approval',
    });
    expect(telling().say('ann', `@nova ${text}`).of('nova')).toMatchObject({
      policy: 'ack_only',
      intent: 'thanks',
    });
  });

  it.each(['thanks', 'gracias', 'merci !', 'danke', 'obrigado', 'ありがとう', '고마워요', '谢谢'])(
    'answers with "%s" alone, and the question is closed then',
    (text) => {
      const r = asking();
      expect(r.say('ann', text).of('nova')).toMatchObject({ policy: 'must_respond', intent: 'answer' });
      expect(r.say('ann', `@nova ${text}`).of('nova').policy).toBe('ack_only');
    },
  );

  it('thanks from an agent end the exchange, also when it was asked', () => {
    const r = room();
    const first = r.say('otto', '@nova is the build green?');
    r.say('nova', 'It is. Shall I deploy it?', { inReplyTo: first });
    expect(r.say('otto', '@nova thanks').of('nova').policy).toBe('ack_only');
  });

  it('that comes too late answers nothing', () => {
    const r = asking();
    for (let i = 0; i < 42; i++) r.say('ben', 'the disk is full');
    expect(r.say('ann', '@nova ok').of('nova').intent).toBe('ack');
  });

  it('with somebody in between may be answered, with the notice that several people are here', () => {
    const r = asking();
    r.say('ben', 'lovely weather today');
    expect(r.say('ann', 'the second one').of('nova')).toMatchObject({
      policy: 'may_respond',
      mode: 'buffered',
      notice: 'group',
      trace: { row: 'expects_answer_between', facts: { somebodyBetween: true } },
    });
  });
});
