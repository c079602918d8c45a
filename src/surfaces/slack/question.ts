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

/** The arguments of chat.postMessage. Undefined: it is longer than Slack takes, or has more choices. */
export function askOf(
  question: OutboundQuestion,
  options: QuestionOptions,
): Record<string, unknown> | undefined {
  const args = postOf(question, options);
  if (args === undefined || question.choices.length > LIMITS.choices) return undefined;
  const { markdown_text: _, ...rest } = args;
  const { choices, idempotencyKey } = question;
  const elements = choices.map((choice) => button(choice, idempotencyKey));
  const blocks = [...words(question, options), { type: 'actions', block_id: 'earshot', elements }];
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
  const text = plain(question, options);
  const sections: Block[] = [];
  for (let from = 0; from < text.length; from += LIMITS.sectionChars)
    sections.push({
      type: 'section',
      text: { type: 'mrkdwn', text: text.slice(from, from + LIMITS.sectionChars) },
    });
  return sections;
}

function plain(question: OutboundQuestion, options: QuestionOptions): string {
  return textOf(question, { ...options, markdown: false });
}
