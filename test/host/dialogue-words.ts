// What agents and people say in the drawn dialogues: as speakers of nine languages write it, without a look at the word
// lists of the detector. Italian is in none of its lists. {n}, {id}, {link}, {name}, {service} and {city} are filled in
// anew for every message.

export interface Tongue {
  /** What a lead hands to a worker. */
  tasks: readonly string[];
  /** What a worker answers when it is done. */
  done: readonly string[];
  /** Done, with a question for more. */
  doneAndAsks: readonly string[];
  /** What a worker needs to know first, and the answer. */
  unclear: readonly (readonly [string, string])[];
  /** What one side tells the other again and again, with other figures each time. */
  reports: readonly string[];
  /** Ping-pong: whoever is woken says one of these. */
  loops: Readonly<Record<LoopKind, readonly string[]>>;
  people: readonly string[];
}

export const LOOP_KINDS = ['thanks', 'thanksAndAsks', 'agreement', 'noYou', 'echo', 'confirm'] as const;
export type LoopKind = (typeof LOOP_KINDS)[number];

const en: Tongue = {
  tasks: [
    'Please review pull request {n}',
    'Can you take a look at {link}?',
    '{name} saw a crash in {service}, could you reproduce it with build {n}?',
    'Deploy build {n} to {city}, then tell me the response times.',
    'Would you mind checking why {service} is slow in {city}?',
    'Run the load test against {link} and post the p99.',
    'What is the status of {id}?',
    "I'd like you to rewrite the intro of {link}.",
    'I need an estimate for {id} from you.',
    'Rotate the {service} keys for {name}, please.',
  ],
  done: ['Done.', 'Merged, no findings.', '{id} is fixed in {n}.', 'p99 is {n} ms.', 'All good in {city}.'],
  doneAndAsks: ['Looks fine to me. What is next?', 'Finished with {link}. Anything else on the list?'],
  unclear: [
    ['Which branch do you mean?', 'The release branch.'],
    ['Is that for {city} or for {city}?', 'For {city}.'],
  ],
  reports: ['build {n} failed', 'the deploy of {service} to {city} took {n} s', '{id} moved to done'],
  loops: {
    thanks: [
      'Thanks a lot!',
      'No, thank you! 🙌',
      "You're welcome, and thank you as well!",
      'Much appreciated, great teamwork!',
    ],
    thanksAndAsks: [
      'Thanks! Anything else I can do for you?',
      'Thank you too! Is there anything I can help with?',
      'Great, thanks. Do you need something else?',
      'All set here, thanks! Can I help you with anything else?',
    ],
    agreement: [
      'Sounds good, go ahead then.',
      'Great, so go ahead.',
      "Perfect, let's do it that way.",
      'Agreed, sounds like a plan!',
    ],
    noYou: [
      'Could you take it?',
      'I think it is better if you take it, can you?',
      'No, you go first please.',
      'Would you rather take it yourself?',
      'Why not you?',
    ],
    echo: [
      'Please send me the list of open items.',
      'Could you send me the list of the open items?',
      'please send me the list of open items! 🙏',
      'The list of open items, could you please send it to me?',
    ],
    confirm: [
      'I am ready. Can you confirm?',
      'I confirm as soon as you do. Do you confirm?',
      'Waiting for your confirmation, can you confirm?',
    ],
  },
  people: ['lunch at noon?', 'the printer is broken again', 'I will be late today', 'nice weather, finally'],
};

const de: Tongue = {
  tasks: [
    'Schau dir bitte Merge Request {n} an.',
    'Kannst du prüfen, warum {service} in {city} hängt?',
    'Lies dir bitte {link} durch und sag mir, was fehlt.',
    'Wie weit ist {id}?',
    'Könntest du {name} wegen {id} anrufen?',
    'Bitte stell Version {n} in {city} bereit.',
  ],
  done: ['Erledigt.', 'Fertig, {id} ist zu.', 'Lief durch, {n} ms.', 'In {city} ist alles in Ordnung.'],
  doneAndAsks: ['Erledigt. Was kommt als Nächstes?', '{id} ist fertig. Gibt es noch etwas?'],
  unclear: [['Welchen Zweig meinst du?', 'Den Release-Zweig.']],
  reports: ['Lauf {n} ist rot', '{service} in {city} antwortet wieder', '{id} ist verschoben'],
  loops: {
    thanks: ['Vielen Dank!', 'Ich danke dir!', 'Gern geschehen, danke dir auch!'],
    thanksAndAsks: [
      'Danke! Brauchst du noch etwas?',
      'Danke dir auch! Kann ich noch etwas für dich tun?',
      'Super, danke. Fehlt dir noch etwas?',
    ],
    agreement: ['Klingt gut, dann mach das so.', 'Einverstanden, so machen wir es.', 'Prima, dann also los.'],
    noYou: [
      'Könntest du das übernehmen?',
      'Nein, mach du das bitte. Kannst du?',
      'Willst du es nicht lieber machen?',
    ],
    echo: [
      'Schick mir bitte die Liste der offenen Punkte.',
      'Könntest du mir die Liste der offenen Punkte schicken?',
      'bitte die Liste der offenen Punkte schicken!',
    ],
    confirm: ['Ich bin so weit. Bestätigst du?', 'Ich bestätige, sobald du bestätigst. Bestätigst du?'],
  },
  people: ['Mahlzeit!', 'ich bin heute im Homeoffice', 'wer hat den Schlüssel?', 'der Drucker geht wieder'],
};

const fr: Tongue = {
  tasks: [
    'Tu peux regarder la pull request {n} ?',
    'Relance le job {n} pour {city}, stp.',
    'Peux-tu vérifier {link} et me dire ce qui manque ?',
    'Où en est {id} ?',
    "J'aimerais que tu contactes {name} au sujet de {id}, tu peux ?",
  ],
  done: ["C'est fait.", '{id} est fermé.', 'Terminé en {n} s.'],
  doneAndAsks: ["C'est fait. Quelle est la suite ?", '{id} est fermé. Il reste autre chose ?'],
  unclear: [['Quelle branche ?', 'La branche de release.']],
  reports: ['le build {n} a échoué', '{service} répond en {n} ms à {city}'],
  loops: {
    thanks: ['Merci beaucoup !', 'Merci à toi !', 'De rien, merci à toi aussi !'],
    thanksAndAsks: [
      "Merci ! Tu as besoin d'autre chose ?",
      "Merci à toi ! Je peux t'aider pour autre chose ?",
    ],
    agreement: ['Ça me va, vas-y.', 'Parfait, on fait comme ça.', "D'accord, allons-y."],
    noYou: ["Tu peux t'en charger ?", 'Non, fais-le toi, tu peux ?', 'Pourquoi pas toi ?'],
    echo: [
      'Envoie-moi la liste des points ouverts, stp.',
      "Peux-tu m'envoyer la liste des points ouverts ?",
      'la liste des points ouverts, tu peux me l’envoyer ?',
    ],
    confirm: ['Je suis prêt. Tu confirmes ?', 'Je confirme dès que tu confirmes. Tu confirmes ?'],
  },
  people: ['on mange à midi ?', 'la réunion est déplacée', 'il fait beau'],
};

const es: Tongue = {
  tasks: [
    '¿Puedes revisar el PR {n}?',
    'Despliega la versión {n} en {city}, por favor.',
    '¿Puedes mirar {link} y decirme qué falla?',
    '¿Cómo va {id}?',
    '¿Podrías hablar con {name} sobre {id}?',
  ],
  done: ['Hecho.', '{id} está cerrado.', 'Listo, {n} ms.'],
  doneAndAsks: ['Hecho. ¿Qué sigue?', '{id} está cerrado. ¿Algo más?'],
  unclear: [['¿Qué rama?', 'La rama de release.']],
  reports: ['la compilación {n} falló', '{service} tarda {n} ms en {city}'],
  loops: {
    thanks: ['¡Muchas gracias!', '¡Gracias a ti!', 'De nada, ¡gracias!'],
    thanksAndAsks: ['¡Gracias! ¿Necesitas algo más?', '¡Gracias a ti! ¿Puedo ayudarte en algo más?'],
    agreement: ['Me parece bien, adelante.', 'Perfecto, lo hacemos así.', 'De acuerdo, vamos.'],
    noYou: ['¿Puedes encargarte tú?', 'No, hazlo tú, ¿puedes?', '¿Por qué no tú?'],
    echo: [
      'Mándame la lista de temas abiertos, por favor.',
      '¿Puedes mandarme la lista de temas abiertos?',
      'La lista de temas abiertos, ¿me la puedes mandar?',
    ],
    confirm: ['Estoy listo. ¿Confirmas?', 'Confirmo cuando tú confirmes. ¿Confirmas?'],
  },
  people: ['¿comemos?', 'hoy llego tarde', 'la impresora no va'],
};

const pt: Tongue = {
  tasks: [
    'Você pode revisar o PR {n}?',
    'Pode subir a versão {n} em {city}?',
    'Dá uma olhada em {link} e me diz o que falta, por favor.',
    'Como está {id}?',
  ],
  done: ['Feito.', '{id} está fechado.', 'Pronto, {n} ms.'],
  doneAndAsks: ['Feito. O que vem agora?', '{id} está fechado. Mais alguma coisa?'],
  unclear: [['Qual branch?', 'A branch de release.']],
  reports: ['o build {n} falhou', '{service} voltou em {city}'],
  loops: {
    thanks: ['Muito obrigado!', 'Eu que agradeço!', 'De nada, obrigado você!'],
    thanksAndAsks: ['Obrigado! Precisa de mais alguma coisa?', 'Obrigado você! Posso ajudar em algo mais?'],
    agreement: ['Parece bom, pode seguir.', 'Perfeito, fazemos assim.', 'Combinado, vamos lá.'],
    noYou: ['Você pode assumir?', 'Não, faz você, pode?', 'Por que não você?'],
    echo: [
      'Me manda a lista de pendências, por favor.',
      'Você pode me mandar a lista de pendências?',
      'A lista de pendências, pode me mandar?',
    ],
    confirm: ['Estou pronto. Você confirma?', 'Confirmo assim que você confirmar. Você confirma?'],
  },
  people: ['vamos almoçar?', 'chego mais tarde hoje', 'que calor'],
};

const it: Tongue = {
  tasks: [
    'Puoi guardare la pull request {n}?',
    'Puoi controllare {link} e dirmi cosa manca?',
    'A che punto è {id}?',
    'Metti la versione {n} su {city}, per favore. Puoi?',
  ],
  done: ['Fatto.', '{id} è chiuso.', 'Finito in {n} s.'],
  doneAndAsks: ['Fatto. Cosa viene dopo?', "{id} è chiuso. C'è altro?"],
  unclear: [['Quale branch?', 'Quello di release.']],
  reports: ['la build {n} è fallita', '{service} risponde in {n} ms da {city}'],
  loops: {
    thanks: ['Grazie mille!', 'Grazie a te!', 'Figurati, grazie!'],
    thanksAndAsks: ['Grazie mille! Ti serve altro?', 'Grazie a te! A te serve altro?'],
    agreement: ['Mi va bene, procedi pure.', 'Perfetto, facciamo così.', "D'accordo, andiamo."],
    noYou: ['Puoi prenderlo tu?', 'No, fallo tu, puoi?', 'Perché non tu?'],
    echo: [
      'Mandami la lista dei punti aperti, per favore.',
      'Puoi mandarmi la lista dei punti aperti?',
      'La lista dei punti aperti, me la puoi mandare?',
    ],
    confirm: ['Sono pronto. Confermi?', 'Confermo appena confermi tu. Confermi?'],
  },
  people: ['pranzo?', 'oggi sono in ritardo', 'che bel sole'],
};

const ja: Tongue = {
  tasks: [
    'プルリク{n}のレビューをお願いします',
    '{link} を確認してもらえますか？',
    '{city}の{service}が遅い原因を調べてください',
    '{id}の状況はどうですか？',
  ],
  done: ['完了しました。', '{id}は直りました。', '{n}ミリ秒でした。'],
  doneAndAsks: ['完了しました。次は何ですか？', '{id}は終わりました。他にありますか？'],
  unclear: [['どのブランチですか？', 'リリースブランチです。']],
  reports: ['ビルド{n}が失敗しました', '{city}の{service}が復旧しました'],
  loops: {
    thanks: [
      'ありがとうございます！',
      'こちらこそ、ありがとうございます！',
      'とんでもないです、ありがとうございました！',
    ],
    thanksAndAsks: [
      'ありがとうございます！他に何か必要ですか？',
      'こちらこそありがとうございます！他に何かありますか？',
    ],
    agreement: ['いいですね、そうしましょう。', '了解です、それで進めましょう。', '賛成です。'],
    noYou: [
      'これをお願いできますか？',
      'いいえ、そちらでお願いできますか？',
      'そちらでやってもらえませんか？',
    ],
    echo: [
      '未完了の一覧を送ってください。',
      '未完了の一覧を送ってもらえますか？',
      '未完了の一覧を送ってください！🙏',
    ],
    confirm: [
      '準備できました。確認してもらえますか？',
      'そちらが確認したら確認します。確認してもらえますか？',
    ],
  },
  people: ['お昼どうしますか？', '今日は暑いですね', '会議は三時からです'],
};

const ko: Tongue = {
  tasks: [
    'PR {n} 리뷰 부탁드려요',
    '{link} 확인해 줄 수 있어요?',
    '{id} 진행 상황이 어때요?',
    '{city} 서버에 빌드 {n} 배포해 주세요',
  ],
  done: ['완료했어요.', '{id} 고쳤어요.', '{n}ms 나왔어요.'],
  doneAndAsks: ['완료했어요. 다음은 뭐예요?', '{id} 끝났어요. 더 있어요?'],
  unclear: [['어느 브랜치예요?', '릴리스 브랜치요.']],
  reports: ['빌드 {n} 실패', '{city} {service} 복구됨'],
  loops: {
    thanks: ['감사합니다!', '저야말로 감사합니다!', '아니에요, 고마워요!'],
    thanksAndAsks: ['감사합니다! 더 필요한 거 있어요?', '저도 고마워요! 더 도와드릴까요?'],
    agreement: ['좋아요, 그렇게 해요.', '네, 그대로 진행해요.', '동의해요.'],
    noYou: ['이거 맡아 줄 수 있어요?', '아니요, 그쪽에서 맡아 줄 수 있어요?', '직접 해 주실래요?'],
    echo: ['남은 목록 보내 주세요.', '남은 목록 보내 줄 수 있어요?', '남은 목록 좀 보내 주세요! 🙏'],
    confirm: ['준비됐어요. 확인해 줄래요?', '그쪽이 확인하면 저도 할게요. 확인해 줄래요?'],
  },
  people: ['점심 먹을까요?', '오늘 덥네요', '회의는 세 시예요'],
};

const zh: Tongue = {
  tasks: ['请看一下 PR {n}', '能检查一下 {link} 吗？', '{id} 进展怎么样？', '请把 {n} 版本部署到{city}'],
  done: ['好了。', '{id} 修好了。', '用了 {n} 毫秒。'],
  doneAndAsks: ['好了。下一个是什么？', '{id} 修好了。还有别的吗？'],
  unclear: [['哪个分支？', '发布分支。']],
  reports: ['构建 {n} 失败', '{city}的{service}恢复了'],
  loops: {
    thanks: ['谢谢！', '我也谢谢你！', '不客气，谢谢你！'],
    thanksAndAsks: ['谢谢！还需要什么吗？', '也谢谢你！还有什么要帮忙的吗？'],
    agreement: ['听起来不错，那就这样吧。', '好的，就这么办。', '同意。'],
    noYou: ['你能接手吗？', '不，还是你来吧，可以吗？', '为什么不是你来？'],
    echo: ['请把未完成的清单发给我。', '能把未完成的清单发给我吗？', '未完成的清单，请发给我！'],
    confirm: ['我准备好了。你能确认吗？', '你确认我就确认。你能确认吗？'],
  },
  people: ['中午吃什么？', '今天真热', '会议改到三点'],
};

export const TONGUES: Readonly<Record<string, Tongue>> = { en, de, fr, es, pt, it, ja, ko, zh };
/** Its requests are read only where a question mark tells. */
export const UNLISTED = 'it';
