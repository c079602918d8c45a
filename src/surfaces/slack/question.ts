// Questions with buttons, as Slack takes them: Block Kit. The text stands in a block, because `markdown_text` goes with no
// blocks, and once more as plain text for notifications. A button carries the key of the question, so a press needs no
// memory of ours. Once it is decided, the same message without buttons says how it ended.
import type { Choice, DecidedQuestion, OutboundQuestion } from '../surface.ts';
import { channelOf, metadataOf, postOf, textOf, type WriteOptions } from './write.ts';

export interface QuestionOptions extends WriteOptions {
  /** False: this server knows no Markdown in blocks. */
  markdownBlock: boolean;
}

/** How a button of ours is called: this and the choice. */
const ACTION = 'earshot:';

const LIMITS = {
  /** Of a section. */
  sectionChars: 3_000,
  labelChars: 75,
  /** Buttons in one row. */
  choices: 25,
} as const;

type Block = Record<string, unknown>;

/** The arguments of chat.postMessage. Undefined: it is longer than Slack takes. */
export function askOf(
  question: OutboundQuestion,
  options: QuestionOptions,
): Record<string, unknown> | undefined {
  const args = postOf(question, options);
  if (args === undefined) return undefined;
  const { markdown_text: _, ...rest } = args;
  const blocks = [...words(question, options), ...rows(question)];
  return { ...rest, text: plain(question, options), blocks };
}

/** The arguments of chat.update. The metadata stays, so that the message is still found by its key. */
export function decidedOf(question: DecidedQuestion, options: QuestionOptions): Record<string, unknown> {
  const { place, platformId, outcome, idempotencyKey, agent } = question;
  const ended = plain({ ...question, text: outcome, mentions: [] }, options);
  const context = { type: 'context', elements: [{ type: 'mrkdwn', text: ended }] };
  return {
    channel: channelOf(place),
    ts: platformId,
    text: `${plain(question, options)}\n${ended}`,
    blocks: [...words(question, options), context],
    metadata: metadataOf(idempotencyKey, agent),
  };
}

/** The choice behind a button. Undefined: it is not one of ours. */
export function choiceOf(actionId: string): string | undefined {
  return actionId.startsWith(ACTION) ? actionId.slice(ACTION.length) : undefined;
}

function rows({ choices, idempotencyKey }: OutboundQuestion): Block[] {
  const made: Block[] = [];
  for (let from = 0; from < choices.length; from += LIMITS.choices) {
    const elements = choices
      .slice(from, from + LIMITS.choices)
      .map((choice) => button(choice, idempotencyKey));
    made.push({ type: 'actions', elements });
  }
  return made;
}

function button({ id, label, style }: Choice, key: string): Block {
  return {
    type: 'button',
    action_id: `${ACTION}${id}`,
    text: { type: 'plain_text', text: label.slice(0, LIMITS.labelChars) },
    value: key,
    ...(style !== undefined && { style }),
  };
}

function words(question: OutboundQuestion, options: QuestionOptions): Block[] {
  if (options.markdownBlock)
    return [{ type: 'markdown', text: textOf(question, { ...options, markdown: true }) }];
  return sectionsOf(plain(question, options)).map((text) => ({
    type: 'section',
    text: { type: 'mrkdwn', text },
  }));
}

/** Cut between words where there are any, so that no mention and no escaped character is torn. */
function sectionsOf(text: string): string[] {
  const sections: string[] = [];
  let rest = text;
  while (rest.length > LIMITS.sectionChars) {
    const space = rest.slice(0, LIMITS.sectionChars).search(/\s\S*$/);
    const end = space > 0 ? space : LIMITS.sectionChars;
    sections.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return rest === '' ? sections : [...sections, rest];
}

function plain(question: OutboundQuestion, options: QuestionOptions): string {
  return textOf(question, { ...options, markdown: false });
}
