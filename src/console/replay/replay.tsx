// Replay: decides a recorded chat or a period of the log again under another configuration, and shows each decision
// that differs. Nothing is sent anywhere.
import { type ReactNode, useState } from 'react';
import type { ReplayAnswer, SettingsAnswer } from '../../protocol/operator-api.ts';
import { useClient } from '../api/context.tsx';
import { wordsOf } from '../api/error.ts';
import { useAsked } from '../api/use-asked.ts';
import { Button } from '../ui/button.tsx';
import { ConfigField } from './config-field.tsx';
import { replayConfigText, readReplayConfig } from './config.ts';
import { Differences } from './differences.tsx';
import './replay.css';
import { type ReplaySource, SourceField } from './source-field.tsx';
import { Problem } from '../ui/problem.tsx';

export function Replay(): ReactNode {
  const client = useClient();
  const rules = useAsked<SettingsAnswer>('/v1/settings').answer?.attention;
  const [source, setSource] = useState<ReplaySource>({ kind: 'transcript', name: '', text: '' });
  const [typed, setTyped] = useState<string>();
  const [answer, setAnswer] = useState<ReplayAnswer>();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const text = typed ?? (rules === undefined ? '' : replayConfigText(rules));
  const missing = source.kind === 'transcript' ? source.text === '' : source.from === '';

  const run = async (): Promise<void> => {
    const config = readReplayConfig(text);
    setAnswer(undefined);
    setProblem(config.ok ? undefined : config.problem);
    if (!config.ok) return;
    setBusy(true);
    try {
      setAnswer(await client.post<ReplayAnswer>('/v1/replay', bodyOf(source, config.value)));
    } catch (error) {
      setProblem(wordsOf(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <section className="view" aria-labelledby="replay-title">
      <header className="view-head">
        <h1 id="replay-title">Replay</h1>
        <p>What another configuration would have decided</p>
      </header>
      <div className="view-body stack">
        <div className="replay-form">
          <SourceField source={source} change={setSource} />
          <ConfigField text={text} change={setTyped} />
        </div>
        <div className="row">
          <Button tone="primary" disabled={busy || missing} onClick={() => void run()}>
            {busy ? 'Deciding again…' : 'Compare'}
          </Button>
          {missing && (
            <span className="dim">
              {source.kind === 'transcript' ? 'Drop in a recorded chat first.' : 'Choose a period first.'}
            </span>
          )}
        </div>
        <Problem words={problem} />
        {answer !== undefined && <Differences answer={answer} />}
      </div>
    </section>
  );
}

/** Compares the typed rules with the host's own rules for a transcript, and with the recorded decisions for the log. */
function bodyOf(source: ReplaySource, config: unknown): Record<string, unknown> {
  if (source.kind === 'transcript') return { transcript: source.text, against: config };
  const { from, to } = source;
  return {
    from: new Date(from).toISOString(),
    ...(to === '' ? {} : { to: new Date(to).toISOString() }),
    config,
  };
}
