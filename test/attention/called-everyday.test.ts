// Calls and talk in everyday words, as people type them: without marks, in short, in eight languages. Two sets beside
// called.test.ts, each written before the rules were looked at again. The agents are scout and atlas; Maria and Tom have spoken.
import { describe, expect, it } from 'vitest';
import { type Room, room } from './room.ts';

const AGENTS = [{ id: 'scout', aliases: ['スカウト', '스카우트', '侦察'] }, 'atlas'];
const lines = (text: string): string[] => text.trim().split(/\s*\n\s*/);

function chat(): Room {
  const r = room({ agents: AGENTS, stepMs: 60_000 });
  r.say('maria', 'morning');
  r.say('tom', 'hi all');
  return r;
}

/** Ann and atlas are talking. */
function talking(): Room {
  const r = chat();
  const asked = r.say('ann', '@atlas is it done?');
  r.say('atlas', 'Not yet.', { inReplyTo: asked });
  return r;
}

/** Scout is called. */
const CALLS = lines(`scout could you have another look at 77
  scout look at 77 please
  scout when you have time, look at 77
  scout, 77 is red again, ideas?
  hey scout quick question about 77
  scout thoughts?
  scout status
  scout update?
  scout help
  thx scout, next one: 78 please
  ok scout go on with 78
  yo scout u there
  scout stop
  scout, stop
  scout wait
  scout don't merge it yet
  scout do it again
  scout show me the log
  scout tell me about 77
  scout explain 77
  scout what does 77 mean
  scout whats 77
  scout where is 77
  scout which one failed
  scout who broke it
  scout how do I run it
  scout try again with -v
  can you take 77 scout
  take 77 please, scout
  what about 77, scout?
  how is 77 going scout?
  what's wrong with it scout
  good morning scout
  scout good job
  great work scout!
  scout: 77?
  scout – 77 please
  Scout kannst du 77 prüfen
  Scout, prüf bitte 77
  Scout bitte 77 prüfen
  prüfst du 77, Scout?
  scout tu peux vérifier 77
  scout peux-tu vérifier 77
  scout vérifie 77 stp
  tu vérifies 77, scout ?
  scout revisa 77 por favor
  scout puedes revisar 77
  ¿revisas 77, scout?
  scout verifica a 77 por favor
  scout você viu a 77?
  スカウト、77を見て
  スカウトさん77を確認してください
  スカウト 77どう？
  스카우트 77 확인해줘
  스카우트야 77 봐줘
  侦察，看一下77
  侦察 77怎么样
  侦察你看看77
  scout give me the numbers
  scout i need the numbers
  scout we need you
  scout sorry to bother, is 12 done
  scout is 12 done?
  scout did 12 pass?
  scout has 12 passed yet?
  scout were there errors?
  scout any news
  scout ready?
  scout please
  hi scout :)
  scout :)
  btw scout, what's the ETA?
  scout - any chance you look at 12?
  sorry scout, I meant 13
  no scout, the other one
  yes please scout
  check 13 as well, scout!
  could you scout
  right, scout?
  are you sure, scout?
  what's next, scout?
  come on scout
  Scout, was ist mit 12?
  Scout was ist mit 12
  Scout hilf mir mal
  danke Scout, und 13?
  weißt du das, Scout?
  Scout, qu'en penses-tu ?
  scout aide-moi
  merci scout, et 13 ?
  scout ¿qué pasa con 12?
  scout ayúdame
  gracias scout, ¿y 13?
  scout me ajuda
  obrigado scout, e a 13?
  o que acha, scout?
  スカウト、どう思う？
  スカウト、助けて
  教えて、スカウト
  스카우트, 어떻게 생각해?
  스카우트 도와줘
  侦察，怎么办？
  侦察，帮帮我
  谢谢侦察`);

/** Scout is talked about. */
const TALK = lines(`scout found the bug last night
  scout was right after all
  I asked scout and got nothing
  scout's answer is in the doc
  the scout agent is slow
  scout isn't connected
  scout had a bad day
  according to scout it is fine
  we should give scout more memory
  let's see what scout says
  maybe scout knows
  maybe scout can help you
  tell scout to rerun it
  someone restart scout please
  did you try scout?
  have you asked scout
  why is scout silent
  when does scout come back
  scout and atlas are both agents
  both scout and atlas failed
  scout vs atlas
  not scout, the other one
  I prefer atlas to scout
  no idea what scout is doing
  where did scout post it
  scout replied in the thread
  scout merged it an hour ago
  scout might have merged it
  scout won't answer today
  scout would never do that
  scout has no access
  scout only reads the channel
  scout really helped me
  scout never replies to bots
  thanks to scout it works
  scout-like tools are useful
  boy scout rule applies
  scouting for ideas
  the scouts are here
  scout.yaml is missing
  we use scout for reviews
  I'm talking about scout
  that's scout
  it was scout
  Scout hat das gefunden
  Scout ist heute langsam
  hast du Scout gefragt?
  ich frage Scout
  wo ist Scout
  das macht Scout
  scout a trouvé le bug
  scout est lent
  demandez à scout
  j'attends scout
  scout encontró el error
  scout está lento hoy
  pregunta a scout
  espero a scout
  scout encontrou o erro
  o scout está lento
  estou esperando o scout
  スカウトが見つけた
  スカウトに聞いて
  スカウトの返事を待っています
  스카우트가 찾았어
  스카우트한테 물어봐
  侦察找到了问题
  问一下侦察吧
  等侦察回复
  scout got stuck on 12
  scout goes down every night
  scout takes ages
  scout went quiet
  I can't reach scout
  is anybody else seeing scout errors
  who owns scout?
  what is scout
  what's scout's quota
  can scout do that?
  could scout do that
  should we ask scout?
  does scout know
  will scout answer here
  would scout be able to
  scout and maria worked on it
  tom, maria and scout worked on it
  it works for scout
  nobody told scout
  as scout said
  like scout did
  scout (our bot) did it
  if scout is down, page me
  when scout is back I'll ask
  because scout failed
  scout was supposed to do it
  scout must be down
  scout should be up again
  scout could not do it
  scout cannot do it
  scout also failed
  scout still fails
  scout now works
  scout finally answered
  scout has already done that
  hopefully scout is fine
  "scout" is the name
  see the scout channel
  new scout release today
  weiß Scout das?
  kann Scout das
  Scout kann das nicht
  Scout kommt morgen wieder
  ohne Scout geht nichts
  scout ne sait pas
  est-ce que scout sait
  sans scout rien ne marche
  scout no sabe
  ¿sabe scout algo?
  sin scout nada funciona
  scout não sabe
  será que o scout sabe
  sem o scout nada funciona
  スカウトって何？
  スカウトも失敗した
  昨日スカウトさんが来た
  스카우트도 실패했어
  스카우트 덕분에 됐어
  侦察也失败了
  侦察不知道
  没有侦察不行`);

/** Ann turns from atlas to Maria or Tom. */
const TO_PEOPLE = lines(`maria can you look
  maria, look
  tom what do you think
  hey tom
  thanks maria
  what do you think tom?
  maria: yes
  tom?
  Maria! Look
  tom pls
  maria did you see 77
  tom are you there
  Tom kannst du mal
  maria tu peux regarder
  tom puedes mirar
  good morning maria
  maria and tom, please look
  yes maria
  @maria look
  ok tom
  maria could you check
  maria any idea
  tom I think you are right
  tom, lunch?
  morning tom
  night maria
  sure tom
  sorry maria, I was away
  what's up tom
  maria - see above
  Tom: +1
  tom, maria: see above
  tom or maria, can you take it?
  gracias maria
  danke tom
  merci maria
  maria, ¿puedes?
  tom, schau mal
  tom look`);

/** Ann goes on with atlas, about Maria or Tom. */
const TO_ATLAS = lines(`maria found it, can you fix it?
  tom says hi
  tom thinks it is the cache, is it?
  what did maria say?
  is tom in the list?
  please add maria to the list
  remove tom
  maria's test fails
  ask maria please
  tom and maria are waiting
  can you wait for tom
  I showed it to maria
  maria was here before me, can you check the log?
  did tom break it
  maybe tom knows
  tom isn't here
  why is tom not in it?
  tom just told me, it is fixed
  maria will be late, can you start without her?
  and maria?
  maria left, can you finish it?
  tom asked for it yesterday, is it there?
  maria gets an error, why?
  tom cannot log in, can you reset it?
  maria has no access, please add her
  tom must be added too
  tom's password expired, can you renew it?
  which one is for maria?
  show it to tom
  the one from maria
  use the key of tom
  what would tom do?
  I am tom's manager, can I see it?
  who is maria?
  cc tom
  tom should get a copy
  maria needs it by noon
  tom also wants one
  so tom was right?`);

/** A word in front of the name that may belong to it or to what stands before. */
const CALLS_BEHIND_A_PARTICLE = lines(`what's up scout
  hurry up scout
  shut up scout
  come back scout
  I hope not, scout
  why not, scout?
  ist es fertig oder nicht, scout?
  está pronto ou não, scout?
  ce n'est pas fini, scout ?
  I give up scout
  calm down scout
  it is down scout
  wake up scout`);

const TALK_BEHIND_A_PARTICLE = lines(`I would ask atlas about the audit, not scout
  they asked how we set up scout
  please do not turn off scout
  who shut down scout
  somebody should spin up scout
  I took down scout
  bring back scout
  ich meinte atlas, nicht scout
  das ist kein scout
  je parle de atlas, pas scout
  era o atlas, não scout
  ni atlas ni scout`);

describe('a call in everyday words', () => {
  it.each([...CALLS, ...CALLS_BEHIND_A_PARTICLE])('%s', (text) => {
    expect(chat().say('ann', text).of('scout').directedness).toBe('to_me');
  });
});

describe('talk in everyday words', () => {
  it.each([...TALK, ...TALK_BEHIND_A_PARTICLE])('%s', (text) => {
    expect(chat().say('ann', text).of('scout')).toMatchObject({ policy: 'must_not_respond' });
  });
});

describe('in an exchange with an agent', () => {
  it.each(TO_PEOPLE)('a person is called: %s', (text) => {
    expect(talking().say('ann', text).of('atlas').directedness).toBe('to_other');
  });

  it.each(TO_ATLAS)('a person is talked about: %s', (text) => {
    expect(talking().say('ann', text).of('atlas').directedness).toBe('to_me');
  });
});
