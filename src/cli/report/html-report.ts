// `earshot replay --report`: the report about a recorded chat.
import type { Replay } from '../../attention/replay.ts';
import type { AttentionSettings } from '../../attention/settings.ts';
import type { Io } from '../io.ts';
import type { Report } from '../replay-report.ts';
import { tallyOf, writeReport } from './report.ts';

export function htmlReport(
  io: Io,
  file: string,
  source: string,
  settings: AttentionSettings,
  replay: Replay,
): Report {
  const counted = tallyOf(settings, replay);
  return {
    async tell(event, fed) {
      counted.tell(event, fed);
    },
    async end() {
      await writeReport(file, { source, tally: counted.tally, chosen: [], caveats: [], account: [] });
      await io.out(`report written to ${file}\n`);
    },
  };
}
