// The few sentences that the host posts for an agent when a person asks it to leave, to stop, to be quiet, to come back,
// or to join in a little more or less.
// No model writes them. What a sentence promises is what then happens: a direct message cannot be left, so there the
// agent is quiet until it is called; a channel cannot be followed, only its threads.
import type { DialMove, RequestLanguage } from '../../attention/index.ts';
import type { ConversationMode } from '../../protocol/vocabulary.ts';

export type AckKind = 'leave' | 'stop' | 'mode' | 'dial';

type Sentence =
  /** Nothing here reaches the agent until it is mentioned. */
  | 'leaves'
  /** What it was doing is over. From now on it is heard when it is mentioned. */
  | 'stops'
  | 'when_mentioned'
  /** A direct message: it answers again when its name, or the quoted words, are written. */
  | 'quiet'
  | 'normal'
  | 'follows'
  | 'follows_threads'
  /** The dial was moved by a notch; it was at its end already. */
  | 'quieter'
  | 'quietest'
  | 'keener'
  | 'keenest';

export function acknowledgement(
  template: AckKind,
  mode: ConversationMode,
  conversationKind: string,
  language: RequestLanguage,
): string {
  return SENTENCES[language][sentenceFor(template, mode, conversationKind)];
}

export function dialAcknowledgement(
  { move, atEnd }: { move: DialMove; atEnd: boolean },
  language: RequestLanguage,
): string {
  if (!atEnd) return SENTENCES[language][move];
  return SENTENCES[language][move === 'quieter' ? 'quietest' : 'keenest'];
}

function sentenceFor(template: AckKind, mode: ConversationMode, kind: string): Sentence {
  switch (mode) {
    case 'left':
      return 'leaves';
    case 'mention_only':
      if (kind === 'dm') return 'quiet';
      return template === 'stop' ? 'stops' : 'when_mentioned';
    case 'auto':
      return 'normal';
    case 'follow':
      if (kind === 'dm') return 'normal';
      return kind === 'thread' ? 'follows' : 'follows_threads';
  }
}

/** None of them asks for anything, so that thanks for it start no turn. */
export const SENTENCES: Record<RequestLanguage, Record<Sentence, string>> = {
  en: {
    leaves: 'Okay, I am leaving this conversation. Mention me to bring me back.',
    stops: 'Okay, stopping. Mention me when you need me.',
    when_mentioned: 'Okay, I will only answer here when you mention me.',
    quiet: 'Okay, I will be quiet here. Write my name or "come back", and I answer again.',
    normal: 'Okay, back to normal here.',
    follows: 'Okay, I will follow along here.',
    follows_threads: 'Okay. In a channel I only follow the threads that I take part in.',
    quieter: 'Okay, I will join in a little less here.',
    quietest: 'I already join in here as little as I can. With "mention only" I wait for mentions.',
    keener: 'Okay, I will join in a little more here.',
    keenest: 'I already join in here as much as I can.',
  },
  es: {
    leaves: 'De acuerdo, dejo esta conversación. Si me mencionas, vuelvo.',
    stops: 'De acuerdo, paro. Si me mencionas, respondo.',
    when_mentioned: 'De acuerdo, aquí solo respondo si me mencionas.',
    quiet: 'De acuerdo, aquí guardo silencio. Si escribes mi nombre o "vuelve", respondo otra vez.',
    normal: 'De acuerdo, aquí todo como antes.',
    follows: 'De acuerdo, sigo este hilo.',
    follows_threads: 'De acuerdo. En un canal solo sigo los hilos en los que participo.',
    quieter: 'De acuerdo, aquí intervendré un poco menos.',
    quietest: 'Aquí ya intervengo lo menos posible. Con "solo menciones" espero a que me mencionen.',
    keener: 'De acuerdo, aquí intervendré un poco más.',
    keenest: 'Aquí ya intervengo todo lo posible.',
  },
  fr: {
    leaves: "D'accord, je quitte cette conversation. Si on me mentionne, je reviens.",
    stops: "D'accord, j'arrête. Si on me mentionne, je réponds.",
    when_mentioned: "D'accord, ici je ne réponds que si on me mentionne.",
    quiet: 'D\'accord, je me tais ici. Si tu écris mon nom ou "reviens", je réponds de nouveau.',
    normal: "D'accord, ici tout est comme avant.",
    follows: "D'accord, je suis ce fil.",
    follows_threads: "D'accord. Dans un canal, je ne suis que les fils auxquels je participe.",
    quieter: "D'accord, j'interviendrai un peu moins ici.",
    quietest:
      "J'interviens déjà le moins possible ici. Avec \"seulement les mentions\", j'attends qu'on me mentionne.",
    keener: "D'accord, j'interviendrai un peu plus ici.",
    keenest: "J'interviens déjà le plus possible ici.",
  },
  de: {
    leaves: 'Okay, ich verlasse diese Unterhaltung. Eine Erwähnung holt mich zurück.',
    stops: 'Okay, ich höre auf. Auf eine Erwähnung antworte ich.',
    when_mentioned: 'Okay, ich antworte hier nur noch, wenn mich jemand erwähnt.',
    quiet: 'Okay, ich bin hier still. Schreibst du meinen Namen oder "komm zurück", antworte ich wieder.',
    normal: 'Okay, hier ist alles wieder wie sonst.',
    follows: 'Okay, ich lese hier mit.',
    follows_threads: 'Okay. In einem Kanal lese ich nur in den Threads mit, an denen ich beteiligt bin.',
    quieter: 'Okay, ich melde mich hier etwas seltener.',
    quietest:
      'Ich melde mich hier schon so selten wie möglich. Mit "nur bei Erwähnung" warte ich auf Erwähnungen.',
    keener: 'Okay, ich melde mich hier etwas öfter.',
    keenest: 'Ich melde mich hier schon so oft wie möglich.',
  },
  pt: {
    leaves: 'Certo, estou saindo desta conversa. Se alguém me mencionar, eu volto.',
    stops: 'Certo, parei. Se alguém me mencionar, eu respondo.',
    when_mentioned: 'Certo, aqui só respondo se alguém me mencionar.',
    quiet: 'Certo, fico em silêncio aqui. Se você escrever meu nome ou "volte", respondo de novo.',
    normal: 'Certo, aqui tudo como antes.',
    follows: 'Certo, acompanho este tópico.',
    follows_threads: 'Certo. Em um canal só acompanho os tópicos em que participo.',
    quieter: 'Certo, vou participar um pouco menos aqui.',
    quietest: 'Já participo o mínimo possível aqui. Com "só menções", espero alguém me mencionar.',
    keener: 'Certo, vou participar um pouco mais aqui.',
    keenest: 'Já participo o máximo possível aqui.',
  },
  ja: {
    leaves: '了解です。この会話から抜けます。メンションがあれば戻ります。',
    stops: '了解です。ここまでにします。メンションがあれば答えます。',
    when_mentioned: '了解です。ここではメンションされたときだけ答えます。',
    quiet: '了解です。ここでは静かにしています。名前か「戻ってきて」があれば、また答えます。',
    normal: '了解です。ここではいつも通りに戻ります。',
    follows: '了解です。このスレッドを追います。',
    follows_threads: '了解です。チャンネルでは、参加しているスレッドだけを追います。',
    quieter: '了解です。ここでは発言を少し控えます。',
    quietest: 'ここではすでにできるだけ控えています。「メンションのみ」と書けば、メンションを待ちます。',
    keener: '了解です。ここではもう少し発言します。',
    keenest: 'ここではすでにできるだけ発言しています。',
  },
  ko: {
    leaves: '알겠습니다. 이 대화에서 나갑니다. 멘션하시면 돌아옵니다.',
    stops: '알겠습니다. 여기까지 하겠습니다. 멘션하시면 답합니다.',
    when_mentioned: '알겠습니다. 여기서는 멘션이 있을 때만 답합니다.',
    quiet: '알겠습니다. 여기서는 조용히 있겠습니다. 제 이름이나 "돌아와"라고 쓰시면 다시 답합니다.',
    normal: '알겠습니다. 여기서는 평소대로 합니다.',
    follows: '알겠습니다. 이 스레드를 따라갑니다.',
    follows_threads: '알겠습니다. 채널에서는 제가 참여한 스레드만 따라갑니다.',
    quieter: '알겠습니다. 여기서는 조금 덜 나서겠습니다.',
    quietest: '여기서는 이미 가능한 한 나서지 않고 있습니다. "멘션만"이라고 쓰시면 멘션을 기다립니다.',
    keener: '알겠습니다. 여기서는 조금 더 참여하겠습니다.',
    keenest: '여기서는 이미 최대한 참여하고 있습니다.',
  },
  zh: {
    leaves: '好的，我退出这个对话。提到我，我就回来。',
    stops: '好的，我停下。提到我，我就回答。',
    when_mentioned: '好的，在这里只有提到我时我才回答。',
    quiet: '好的，我在这里保持安静。写我的名字或“回来”，我就再回答。',
    normal: '好的，这里恢复正常。',
    follows: '好的，我会关注这个话题。',
    follows_threads: '好的。在频道里我只关注自己参与的话题。',
    quieter: '好的，我在这里少说一点。',
    quietest: '我在这里已经尽量少说了。写“仅提及”，我就只等提及。',
    keener: '好的，我在这里多参与一点。',
    keenest: '我在这里已经尽量参与了。',
  },
};
