// The few sentences that the host posts for an agent when a person asks it to leave, to stop, to be quiet or to come back.
// No model writes them. What a sentence promises is what then happens: a direct message cannot be left, so there the
// agent is quiet until it is called; a channel cannot be followed, only its threads.
import type { RequestLanguage } from '../../attention/index.ts';
import type { ConversationMode } from '../../protocol/vocabulary.ts';

export type AckKind = 'leave' | 'stop' | 'mode';

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
  | 'follows_threads';

export function acknowledgement(
  template: AckKind,
  mode: ConversationMode,
  conversationKind: string,
  language: RequestLanguage,
): string {
  return SENTENCES[language][sentenceFor(template, mode, conversationKind)];
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
  },
  es: {
    leaves: 'De acuerdo, dejo esta conversación. Si me mencionas, vuelvo.',
    stops: 'De acuerdo, paro. Si me mencionas, respondo.',
    when_mentioned: 'De acuerdo, aquí solo respondo si me mencionas.',
    quiet: 'De acuerdo, aquí guardo silencio. Si escribes mi nombre o "vuelve", respondo otra vez.',
    normal: 'De acuerdo, aquí todo como antes.',
    follows: 'De acuerdo, sigo este hilo.',
    follows_threads: 'De acuerdo. En un canal solo sigo los hilos en los que participo.',
  },
  fr: {
    leaves: "D'accord, je quitte cette conversation. Si on me mentionne, je reviens.",
    stops: "D'accord, j'arrête. Si on me mentionne, je réponds.",
    when_mentioned: "D'accord, ici je ne réponds que si on me mentionne.",
    quiet: 'D\'accord, je me tais ici. Si tu écris mon nom ou "reviens", je réponds de nouveau.',
    normal: "D'accord, ici tout est comme avant.",
    follows: "D'accord, je suis ce fil.",
    follows_threads: "D'accord. Dans un canal, je ne suis que les fils auxquels je participe.",
  },
  de: {
    leaves: 'Okay, ich verlasse diese Unterhaltung. Eine Erwähnung holt mich zurück.',
    stops: 'Okay, ich höre auf. Auf eine Erwähnung antworte ich.',
    when_mentioned: 'Okay, ich antworte hier nur noch, wenn mich jemand erwähnt.',
    quiet: 'Okay, ich bin hier still. Schreibst du meinen Namen oder "komm zurück", antworte ich wieder.',
    normal: 'Okay, hier ist alles wieder wie sonst.',
    follows: 'Okay, ich lese hier mit.',
    follows_threads: 'Okay. In einem Kanal lese ich nur in den Threads mit, an denen ich beteiligt bin.',
  },
  pt: {
    leaves: 'Certo, estou saindo desta conversa. Se alguém me mencionar, eu volto.',
    stops: 'Certo, parei. Se alguém me mencionar, eu respondo.',
    when_mentioned: 'Certo, aqui só respondo se alguém me mencionar.',
    quiet: 'Certo, fico em silêncio aqui. Se você escrever meu nome ou "volte", respondo de novo.',
    normal: 'Certo, aqui tudo como antes.',
    follows: 'Certo, acompanho este tópico.',
    follows_threads: 'Certo. Em um canal só acompanho os tópicos em que participo.',
  },
  ja: {
    leaves: '了解です。この会話から抜けます。メンションがあれば戻ります。',
    stops: '了解です。ここまでにします。メンションがあれば答えます。',
    when_mentioned: '了解です。ここではメンションされたときだけ答えます。',
    quiet: '了解です。ここでは静かにしています。名前か「戻ってきて」があれば、また答えます。',
    normal: '了解です。ここではいつも通りに戻ります。',
    follows: '了解です。このスレッドを追います。',
    follows_threads: '了解です。チャンネルでは、参加しているスレッドだけを追います。',
  },
  ko: {
    leaves: '알겠습니다. 이 대화에서 나갑니다. 멘션하시면 돌아옵니다.',
    stops: '알겠습니다. 여기까지 하겠습니다. 멘션하시면 답합니다.',
    when_mentioned: '알겠습니다. 여기서는 멘션이 있을 때만 답합니다.',
    quiet: '알겠습니다. 여기서는 조용히 있겠습니다. 제 이름이나 "돌아와"라고 쓰시면 다시 답합니다.',
    normal: '알겠습니다. 여기서는 평소대로 합니다.',
    follows: '알겠습니다. 이 스레드를 따라갑니다.',
    follows_threads: '알겠습니다. 채널에서는 제가 참여한 스레드만 따라갑니다.',
  },
  zh: {
    leaves: '好的，我退出这个对话。提到我，我就回来。',
    stops: '好的，我停下。提到我，我就回答。',
    when_mentioned: '好的，在这里只有提到我时我才回答。',
    quiet: '好的，我在这里保持安静。写我的名字或“回来”，我就再回答。',
    normal: '好的，这里恢复正常。',
    follows: '好的，我会关注这个话题。',
    follows_threads: '好的。在频道里我只关注自己参与的话题。',
  },
};
