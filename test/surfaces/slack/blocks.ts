// What the emulator lacks for questions and their answers: Slack's rules for blocks, and what one person alone is shown.
import type { App, Call } from '../emulated-plugin.ts';
import { type Alone, type Block, MARKDOWN_CHARS, type Workspace } from './workspace.ts';

/** Where answers to one person are posted: what Slack calls response_url. */
export function takeResponses(app: App, workspace: Workspace): void {
  app.post('/response/:user', async (c) => {
    const said = JSON.parse(await c.req.raw.text()) as Alone & { response_type: string };
    // Left out, it would be shown to all, or instead of the question.
    if (
      said.response_type !== 'ephemeral' ||
      (said as { replace_original?: boolean }).replace_original !== false
    )
      return c.json({ ok: false, error: 'shown to all' }, 400);
    const { text, thread_ts } = said;
    const alone: Alone = { user: c.req.param('user'), text, by: 'response_url' };
    workspace.alone.push(thread_ts === undefined ? alone : { ...alone, thread_ts });
    return c.json({ ok: true });
  });
}

/** What Slack does not take of blocks, as far as the surface could get it wrong. */
export async function blocksProblem(c: Call, { markdownBlocks }: Workspace): Promise<string | undefined> {
  if (c.req.header('content-type')?.includes('json') === true) return undefined; // people write no blocks
  const args = new URLSearchParams(await c.req.raw.clone().text());
  const blocks = JSON.parse(args.get('blocks') ?? '[]') as Block[];
  const buttons = blocks.flatMap(({ elements = [] }) => elements.flatMap(({ action_id }) => action_id ?? []));
  const isWrong =
    blocks.length > 50 ||
    new Set(buttons).size < buttons.length ||
    blocks.some(
      (block) =>
        (block.type === 'markdown' && (!markdownBlocks || wordsOf(block).length > MARKDOWN_CHARS)) ||
        (block.type === 'section' && wordsOf(block).length > SECTION_CHARS),
    );
  return isWrong ? 'invalid_blocks' : undefined;
}

const SECTION_CHARS = 3_000;

function wordsOf({ text = '' }: Block): string {
  return typeof text === 'string' ? text : text.text;
}

export async function noteEphemeral(c: Call, workspace: Workspace): Promise<void> {
  const args = new URLSearchParams(await c.req.raw.clone().text());
  const thread = args.get('thread_ts');
  const alone: Alone = { user: args.get('user') ?? '', text: args.get('text') ?? '', by: 'ephemeral' };
  workspace.alone.push(thread === null ? alone : { ...alone, thread_ts: thread });
}
