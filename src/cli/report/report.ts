// A replay that is counted for the report, and the file that the report is written to.
import { writeFile } from 'node:fs/promises';
import { partyOf } from '../../attention/heard.ts';
import { type Replay, createReplay } from '../../attention/replay.ts';
import type { AttentionSettings } from '../../attention/settings.ts';
import type { ChatEvent } from '../../protocol/chat-event.ts';
import { CommandError } from '../io.ts';
import { type ReportPage, reportPage } from './page.ts';
import { type Tally, type TallyReport, createTally } from './tally.ts';

export interface CountedReplay {
  tally: Tally;
  feed(event: ChatEvent): void;
}

export function createReport(settings: AttentionSettings): CountedReplay {
  const replay = createReplay(settings);
  const counted = tallyOf(settings, replay);
  return {
    tally: counted.tally,
    feed(event) {
      const fed = replay.feed(event);
      if (fed.type === 'folded') counted.tell(event, fed);
    },
  };
}

/** Counts what a replay tells. The replay says whose account an author is. */
export function tallyOf({ agents }: AttentionSettings, replay: Replay): TallyReport {
  return createTally(
    agents.map(({ id }) => id),
    (event) => partyOf(event, replay.rosterOf(event)).agent?.id,
  );
}

export async function writeReport(path: string, page: ReportPage): Promise<void> {
  try {
    await writeFile(path, reportPage(page));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandError(1, `${path}: the report cannot be written (${code ?? message})`, { cause: error });
  }
}
