// Tells whoever asked that an agent has no answer: it has failed and tries again, it has given up, or it is not
// connected. One line where it was asked, in the language of the question. The host says it for the agent; no model
// writes it, it never holds an error, and it asks for nothing, so nobody is woken by it.
import { languageOf, type RequestLanguage } from '../../attention/index.ts';
import type { UnitView } from '../../store/store.ts';
import type { DeliveryRow, LogRow } from '../../store/tables.ts';
import { decisionOf, detailOf } from '../delivery/delivery-row.ts';
import { type Change, noChange } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';
import { conversationIn } from '../kernel/conversation.ts';
import { textOf } from '../kernel/log-row.ts';
import { type TroubleTemplate, hostKey, newAcknowledgement, queueSend } from './outbox-row.ts';

/** Once per question: the row has its key. The unit must have loaded the state of the delivery's conversation. */
export function tellAsker(
  { attention, speakers }: Pick<HostContext, 'attention' | 'speakers'>,
  view: UnitView,
  row: DeliveryRow,
  template: TroubleTemplate,
): Change {
  const asked = view.row('log', row.source);
  if (asked === undefined || !isAsked(row, asked)) return noChange();
  const { agent, conversation, source: eventId } = row;
  const place = conversationIn(view, conversation);
  const isTold = view.row('outbox', hostKey(agent, `ack-${template}`, eventId)) !== undefined;
  if (place === undefined || isTold) return noChange();
  const name = attention.agents.find(({ id }) => id === agent)?.name ?? agent;
  const text = TROUBLE_LINES[languageOf(textOf(asked))][template](name);
  const { kind } = place.place.conversation;
  const visibility = kind === 'dm' || kind === 'thread' ? kind : 'channel';
  const about = { agent, eventId, surface: speakers.homeOf(place), conversation, now: view.now };
  const said = { text, visibility, mentions: [], directedness: 'ambient' } as const;
  return queueSend(newAcknowledgement(about, template, said));
}

/** A person waits for this answer. What the host itself asks for (an owed answer, an escalation) is not such a question. */
function isAsked(row: DeliveryRow, { record: { event } }: LogRow): boolean {
  if (row.policy !== 'must_respond' || event.author.kind !== 'human') return false;
  return decisionOf(row).reason !== 'obligation' && detailOf(row).escalation === undefined;
}

type Sentence = (agent: string) => string;

/** None of them asks for anything. */
export const TROUBLE_LINES: Record<RequestLanguage, Record<TroubleTemplate, Sentence>> = {
  en: {
    trouble: (agent) => `${agent} ran into a problem and is trying again.`,
    'gave-up': (agent) =>
      `${agent} could not answer this and has stopped trying. Whoever runs it can see the reason.`,
    away: (agent) => `${agent} is not connected; your message waits for it.`,
    'question-gone': (agent) =>
      `The program that asked for ${agent} is gone, and nobody waits for the answer to its question any more.`,
  },
  es: {
    trouble: (agent) => `${agent} ha tenido un problema y lo intenta de nuevo.`,
    'gave-up': (agent) =>
      `${agent} no ha podido responder a esto y ya no lo intenta. El motivo está a la vista de su administrador.`,
    away: (agent) => `${agent} no está conectado; tu mensaje queda a la espera.`,
    'question-gone': (agent) =>
      `El programa que preguntaba por ${agent} ya no está, y nadie espera ya la respuesta a su pregunta.`,
  },
  fr: {
    trouble: (agent) => `${agent} a rencontré un problème et essaie encore.`,
    'gave-up': (agent) =>
      `${agent} n'a pas pu répondre et n'essaie plus. La raison est visible pour son administrateur.`,
    away: (agent) => `${agent} n'est pas connecté ; ton message reste en attente.`,
    'question-gone': (agent) =>
      `Le programme qui demandait pour ${agent} n'est plus là, et personne n'attend plus la réponse à sa question.`,
  },
  de: {
    trouble: (agent) => `${agent} hat ein Problem und versucht es noch einmal.`,
    'gave-up': (agent) =>
      `${agent} konnte das nicht beantworten und versucht es nicht mehr. Der Betreiber sieht den Grund.`,
    away: (agent) => `${agent} ist nicht verbunden; deine Nachricht bleibt liegen, bis es so weit ist.`,
    'question-gone': (agent) =>
      `Das Programm, das für ${agent} gefragt hat, ist nicht mehr da. Auf die Antwort wartet niemand mehr.`,
  },
  pt: {
    trouble: (agent) => `${agent} teve um problema e está tentando de novo.`,
    'gave-up': (agent) =>
      `${agent} não conseguiu responder e parou de tentar. O motivo está à vista do administrador.`,
    away: (agent) => `${agent} não está conectado; sua mensagem fica em espera.`,
    'question-gone': (agent) =>
      `O programa que perguntava por ${agent} já não está, e ninguém mais espera a resposta à sua pergunta.`,
  },
  ja: {
    trouble: (agent) => `${agent} に問題が発生しました。再試行しています。`,
    'gave-up': (agent) => `${agent} は回答できず、再試行を終了しました。理由は管理者が確認できます。`,
    away: (agent) => `${agent} は接続されていません。メッセージは保留されています。`,
    'question-gone': (agent) =>
      `${agent} の質問を出したプログラムは終了しました。回答はもう待たれていません。`,
  },
  ko: {
    trouble: (agent) => `${agent}에 문제가 생겨 다시 시도하고 있습니다.`,
    'gave-up': (agent) => `${agent}: 답변에 실패하여 시도를 멈췄습니다. 이유는 운영자가 볼 수 있습니다.`,
    away: (agent) => `${agent}: 연결되어 있지 않습니다. 메시지는 대기 중입니다.`,
    'question-gone': (agent) => `${agent}: 질문한 프로그램이 종료되어 더 이상 답변을 기다리지 않습니다.`,
  },
  zh: {
    trouble: (agent) => `${agent} 遇到了问题，正在重试。`,
    'gave-up': (agent) => `${agent} 未能回答，已停止重试。管理员可以看到原因。`,
    away: (agent) => `${agent} 未连接，消息会保留到它上线。`,
    'question-gone': (agent) => `替 ${agent} 提问的程序已经不在了，不再有人等待这个问题的答复。`,
  },
};
