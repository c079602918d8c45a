// Whoever an agent has talked with last also says things that are for the room: that they leave, that they take note, and
// that they laugh.
// None of it starts a turn. To an agent that waits for their answer it is one, and what only looks like it is heard.
import { describe, expect, it } from 'vitest';
import { startsTurn } from '../../src/attention/index.ts';
import { room, type Outcome } from './room.ts';

const PARTINGS =
  'bye all|good night everyone|see you tomorrow|ok I am off|gotta run|brb|afk for lunch|tschüss zusammen|bis morgen|' +
  'ich bin dann mal weg|à demain tout le monde|je vais manger|hasta mañana a todos|me voy a comer|até amanhã pessoal|' +
  'vou almoçar|お先に失礼します|먼저 퇴근합니다|我先下班了|大家再见|going for lunch|ok I am going to lunch, back in an hour|I am back|' +
  'bin Mittag essen|bin wieder da|voy a comer|ya estoy de vuelta|je suis de retour|voltei|다녀왔습니다|我回来了|' +
  'haha|hahaha!|ahahah|jajaja|kkkk|rsrs|mdr|lol|lmao|😂😂|ㅋㅋㅋ|ㅎㅎ|哈哈哈|笑|www|haha 😂';
const HEARD =
  'bye is not defined, it says|I have to go through the logs first|see you in the logs?|bye, but can you check the logs|' +
  'a summary would be nice|haha, and why?|lol it failed again|ha|the lol cat build is red|back to the logs|I am going to lunch, can you watch it?|' +
  'maybe you could check the logs|ich bräuchte noch das Log|最好再跑一遍';

/** Ann has asked nova, nova has answered, and then she says this. */
function after(answer: string, text: string): Outcome {
  const r = room({ agents: [{ id: 'nova' }], stepMs: 15_000 });
  r.say('ben', 'morning');
  const asked = r.say('ann', '@nova why did the export fail last night?');
  r.say('nova', answer, { inReplyTo: asked });
  return r.say('ann', text);
}
const TOLD = 'The token had expired, it was renewed at six.';
const ASKED = 'Which of the two exports do you mean?';

describe('who takes leave after an answer', () => {
  it.each(PARTINGS.split('|'))('wakes nobody: %s', (text) => {
    const decision = after(TOLD, text).of('nova');
    expect(decision).toMatchObject({ directedness: 'to_me', policy: 'ack_only' });
    expect(startsTurn(decision)).toBe(false);
  });

  it.each(PARTINGS.split('|'))('answers an agent that has asked: %s', (text) => {
    expect(after(ASKED, text).of('nova')).toMatchObject({ policy: 'must_respond' });
  });

  it.each(HEARD.split('|'))('is told from who goes on: %s', (text) => {
    expect(startsTurn(after(TOLD, text).of('nova'))).toBe(true);
  });

  it('is answered by an agent that they call by name', () => {
    expect(startsTurn(after(TOLD, '@nova see you tomorrow').of('nova'))).toBe(true);
  });
});
