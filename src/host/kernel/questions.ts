// Questions of agents that the host itself waits for: may I use this tool? Their answers are no business of the harness,
// whose turn runs on meanwhile: a "yes" that reached it would cancel the very turn that waits. They are kept in memory,
// because whoever asked waits in an open call.
import type { DeliveryRow, LogRow } from '../../store/tables.ts';

export interface OpenQuestion {
  agent: string;
  /** The key of the conversation where it was asked. */
  conversation: string;
  /** Whose answer counts, such as `human:U1`. */
  who: string;
  /** The event of the question, once it is known. A reaction to it is an answer. */
  eventId: string | undefined;
}

export interface Questions {
  /** Returns how to close it. */
  open(question: OpenQuestion): () => void;
  /** How often the agent has asked this, this time included. The same words would be taken for a repeat. */
  nth(agent: string, text: string): number;
  /** Whether a delivery is the answer to an open question. It then ends without being handed over. */
  takes(delivery: DeliveryRow, logged: LogRow): boolean;
}

/** The reason with which a delivery ends that was the answer to a question. */
export const ANSWERED_QUESTION = 'answered_question';

/** Different questions that are counted. Beyond that, counting starts again. */
const COUNTED_MAX = 1_000;

export function createQuestions(): Questions {
  const questions = new Set<OpenQuestion>();
  const asked = new Map<string, number>();
  return {
    open(question) {
      questions.add(question);
      return () => questions.delete(question);
    },
    nth(agent, text) {
      const key = `${agent} ${text}`;
      const nth = (asked.get(key) ?? 0) + 1;
      if (asked.size >= COUNTED_MAX) asked.clear();
      asked.set(key, nth);
      return nth;
    },
    takes: (delivery, logged) => [...questions].some((question) => isAnswer(question, delivery, logged)),
  };
}

export function isAnswer(question: OpenQuestion, delivery: DeliveryRow, { record }: LogRow): boolean {
  const { event } = record;
  const { agent, conversation, who, eventId } = question;
  // "Stop" is never an answer. It goes to whoever runs the turn.
  if (delivery.agent !== agent || delivery.conversation !== conversation || delivery.mode === 'immediate')
    return false;
  if (`${event.author.kind}:${event.author.id}` !== who) return false;
  return event.type === 'message' || (event.type === 'reaction' && event.targetEventId === eventId);
}
