// A draft on its way into force: checked, compared with the log while one waits, and applied.
import { useCallback, useEffect, useState } from 'react';
import type {
  ApplyAnswer,
  CheckAnswer,
  DifferenceAnswer,
  SettingsEdit,
} from '../../protocol/settings-api.ts';
import { useClient } from '../api/context.tsx';

/** How often the comparison is asked for. */
const ASK_MS = 300;

export interface Draft {
  text?: string;
  edits?: readonly SettingsEdit[];
}

export interface Checking {
  checked: CheckAnswer | undefined;
  difference: DifferenceAnswer | undefined;
  check: (draft: Draft) => Promise<CheckAnswer>;
  apply: (basedOn: number) => Promise<ApplyAnswer>;
  /** Ends the comparison. What was checked may still be applied. */
  cancel: () => Promise<void>;
  /** The draft has changed, so what was checked counts no more. */
  forget: () => void;
}

export function useCheck(): Checking {
  const client = useClient();
  const [checked, setChecked] = useState<CheckAnswer>();
  const [difference, setDifference] = useState<DifferenceAnswer>();
  const id = checked?.ok === true ? checked.difference : undefined;

  useEffect(() => {
    if (id === undefined) return undefined;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async (): Promise<void> => {
      const path = `/v1/settings/difference/${encodeURIComponent(id)}`;
      const answer = await client.get<DifferenceAnswer>(path, {}, abort.signal);
      setDifference(answer);
      if (answer.state === 'running') timer = setTimeout(() => void ask().catch(ignore), ASK_MS);
    };
    void ask().catch(ignore);
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [client, id]);

  const check = useCallback(
    async (draft: Draft) => {
      setDifference(undefined);
      const answer = await client.post<CheckAnswer>('/v1/settings/check', draft);
      setChecked(answer);
      return answer;
    },
    [client],
  );
  const apply = useCallback(
    async (basedOn: number) => {
      const answer = await client.post<ApplyAnswer>('/v1/settings/apply', { text: checked?.text, basedOn });
      setChecked(undefined);
      return answer;
    },
    [client, checked],
  );
  const cancel = useCallback(async () => {
    if (id === undefined) return;
    setDifference(await client.remove<DifferenceAnswer>(`/v1/settings/difference/${encodeURIComponent(id)}`));
  }, [client, id]);
  const forget = useCallback(() => setChecked(undefined), []);
  return { checked, difference, check, apply, cancel, forget };
}

/** The next check asks anew. */
function ignore(): void {
  // A newer comparison has ended this one, or the host is away: the banner says so.
}
