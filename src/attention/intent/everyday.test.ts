// What people say every day, in eight languages: softly asked, taken back with a reason, taken note of. None of it comes from
// data. Beside each stands what looks like it and must not be silenced.
import { describe, expect, it } from 'vitest';
import type { Intent } from '../../protocol/vocabulary.ts';
import { foldText } from '../text.ts';
import { sentences } from './cases.fixture.ts';
import { inContext, readIntent, takesLeave } from './intent.ts';

function intentOf(text: string): Intent {
  return readIntent({ text, folded: foldText(text), authorKind: 'human', names: ['nova'] });
}

const READ: Partial<Record<Intent, string>> = {
  request: `would be great if you could look at the logs | it would be nice if someone updated the docs |
    any chance of a second look at this | if you get a chance, the build needs a look | nova, do you think you could rerun it |
    I was wondering if you could check the branch | we could use a hand with the release | I'd be grateful if you looked at it |
    es wäre toll, wenn du das prüfen könntest | hättest du kurz Zeit für einen Blick auf die Logs | wenn du dazu kommst, das Skript hakt |
    ce serait super si tu regardais les logs | il y a moyen de relancer le build | quand tu as un moment, le script bloque |
    sería genial que mirases los logs | cuando puedas, el script se queda colgado | te agradecería mucho una revisión |
    seria ótimo se olhasse os logs | quando puder, o script travou |
    ログを見ていただけると助かります | 로그를 봐 주시면 감사하겠습니다 | 如果你方便看看日志 |
    maybe you could check the logs | a summary would be nice | it would help to see the log | can't you just restart it |
    an example would be great | ich bräuchte noch das Log von gestern | vielleicht könntest du das nochmal starten |
    nova, please correct that | correct that please | please work on it | nova, work on that | please ack | nova、お願いします |
    nova，请确认 | nova，麻烦了 | nova, confirma por favor |
    il me faudrait le log d'hier | me haría falta el registro de ayer | talvez você possa ver o log | 最好再跑一遍`,
  cancel: `forget it, found it | never mind, I figured it out | nvm, wrong channel | oh never mind, my mistake | actually forget it |
    ignore my last message, it works now | scratch that, solved it | nova never mind, I found the answer |
    vergiss es, hab's gefunden | hat sich erledigt, geht jetzt | laisse tomber, j'ai trouvé | olvídalo, ya lo encontré |
    esquece, já resolvi | 忘れてください、解決しました | 算了，我找到了 | 됐어요, 찾았어요`,
  ack: `uhhuh | mmhmm | mm-hmm | I know | yeah I know | I know, right | fair point | true that | oh ok | no doubt | duly noted |
    ja ich weiß | schon klar | je sais | je sais bien | ya lo sé | eu sei | já sei | 知ってます | そうなんだ | 알아요 | 原来这样 | 晓得了 |
    yes please | that is correct | correct | はい、お願いします | 好的，确认 | 确认 | I figured | ah, so that's why | yep, saw that | that would be great | weiß ich | dachte ich mir schon | je m'en doutais |
    ya me lo imaginaba | agora faz sentido | そういうことか | 어쩐지 | 我知道 | 难怪`,
  thanks: `found it, thanks! | thanks, it works now | gelöst, danke | ya lo encontré, gracias | j'ai trouvé, merci`,
};

const PARTINGS = `bye all | bye everyone | good night all | see you tomorrow | ok I'm off | gotta run | heading home, see you | brb | afk for lunch |
    ok, I have to go | tschüss zusammen | bis morgen | ich bin dann mal weg | Feierabend! | à demain tout le monde | bonne soirée à tous |
    hasta mañana a todos | me voy a comer | até amanhã pessoal | vou almoçar | お先に失礼します | また明日 | 먼저 퇴근합니다 | 내일 봬요 |
    大家再见 | 我先下班了 | 吃饭去了`;

/** Their first words are those of an ack, a cancel or a parting. */
const NOT_SILENT = `I know a better way, use the cache | I know, but it still fails | I know what it is? | do you know |
  never mind the typo, does it build | forget the first one, run the second | ignore the warning and deploy |
  found it in staging, can you check production | solved? | it works now? | never mind, can you run the tests instead |
  forget it, but please keep the branch | yes do the other one | hm | found it | wrong channel for this question? |
  ich weiß nicht | je ne sais pas | no lo sé | não sei | 知りません | 몰라요 | 不知道 |
  I figured out that it needs a token | that explains nothing | saw that? | see you in the logs? | I have to go through the logs first |
  I'm off by one in the loop | heading is missing | I need to leave the channel field empty | good night mode is broken |
  back in the old version it worked | bye is not defined | weiß jemand, wie das geht | ich bin weg vom alten Format |
  me voy a la otra rama | vou sair do loop | 我先下载了 | Exit code 137 | a timeout of 5 | me hace falta más memoria`;

const SILENCING: ReadonlySet<Intent> = new Set(['thanks', 'ack', 'status', 'leave', 'stop', 'cancel']);

describe('everyday words', () => {
  it.each(sentences(`お願いします | yes please | 请确认 | はい、お願いします`))(
    '%s: consent to who has asked',
    (text) => {
      expect(inContext(intentOf(text), foldText(text), 'yes_no', 'human')).toBe('approval');
    },
  );

  for (const [intent, texts] of Object.entries(READ))
    it.each(sentences(texts))(`%s: ${intent}`, (text) => {
      expect(intentOf(text)).toBe(intent);
    });

  it.each(sentences(NOT_SILENT))('%s: not silenced', (text) => {
    expect(SILENCING).not.toContain(intentOf(text));
    expect(takesLeave(foldText(text))).toBe(false);
  });

  it.each(sentences(PARTINGS))('%s: takes leave', (text) => {
    expect(takesLeave(foldText(text))).toBe(true);
    expect(['statement', 'status', 'ack']).toContain(intentOf(text));
  });

  it.each(
    sentences(
      `right now | now, please | later? | よろしくお願いします | see you there? | bye, but check the logs first`,
    ),
  )('%s: takes no leave', (text) => {
    expect(takesLeave(foldText(text))).toBe(false);
  });

  it('exit code 137: no order', () => {
    expect(intentOf('Exit code 137')).toBe('statement');
  });

  it.each(
    sentences(
      `yes do that | I know | uhhuh | mmhmm | hm | fair point | found it | ja ich weiß | je sais | ya lo sé | 알아요`,
    ),
  )('%s: to somebody who has just asked, an answer', (text) => {
    const folded = foldText(text);
    for (const asked of ['yes_no', 'open'] as const)
      expect(['approval', 'answer']).toContain(inContext(intentOf(text), folded, asked, 'human'));
  });
});
