// Chooses what is decided again: a recorded chat, dropped in or picked, or a period of the host's own log.
import { type DragEvent, type ReactNode, useState } from 'react';
import { localTime } from '../ui/local-time.ts';
import { Tabs } from '../ui/tabs.tsx';

export type ReplaySource =
  | { kind: 'transcript'; name: string; text: string }
  | { kind: 'log'; from: string; to: string };

interface SourceFieldProps {
  source: ReplaySource;
  change: (source: ReplaySource) => void;
}

const DAY_MS = 86_400_000;

export function SourceField({ source, change }: SourceFieldProps): ReactNode {
  const choose = (kind: ReplaySource['kind']): void => {
    if (kind === source.kind) return;
    change(
      kind === 'log'
        ? { kind, from: localTime(new Date(Date.now() - DAY_MS)), to: '' }
        : { kind, name: '', text: '' },
    );
  };
  return (
    <section className="card">
      <div className="row">
        <h2>What</h2>
        <Tabs
          label="What to decide again"
          chosen={source.kind}
          choose={choose}
          tabs={[
            { id: 'transcript', title: 'A recorded chat' },
            { id: 'log', title: 'A period of the log' },
          ]}
        />
      </div>
      {source.kind === 'transcript' ? (
        <Transcript source={source} change={change} />
      ) : (
        <Period source={source} change={change} />
      )}
    </section>
  );
}

function Transcript({
  source,
  change,
}: {
  source: Extract<ReplaySource, { kind: 'transcript' }>;
  change: (source: ReplaySource) => void;
}): ReactNode {
  const [over, setOver] = useState(false);
  const take = async (file: File | undefined): Promise<void> => {
    if (file !== undefined) change({ kind: 'transcript', name: file.name, text: await file.text() });
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  };
  const lines = source.text === '' ? 0 : source.text.trimEnd().split('\n').length;
  return (
    <label
      className="drop"
      data-over={over ? '' : undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <strong>{source.name === '' ? 'Drop a recorded chat here' : source.name}</strong>
      <span className="dim">
        {source.name === ''
          ? 'One ChatEvent (a JSON object) a line, as in examples/standup.jsonl'
          : `${lines.toLocaleString()} lines`}
      </span>
      <span className="button" data-small="">
        {source.name === '' ? 'Choose a file' : 'Choose another file'}
      </span>
      <input
        className="hidden"
        type="file"
        aria-label="Recorded chat"
        accept=".jsonl,.ndjson,.json,.txt"
        onChange={(event) => void take(event.target.files?.[0])}
      />
    </label>
  );
}

function Period({
  source,
  change,
}: {
  source: Extract<ReplaySource, { kind: 'log' }>;
  change: (source: ReplaySource) => void;
}): ReactNode {
  return (
    <div className="row">
      <label className="field">
        <span>From</span>
        <input
          className="input"
          type="datetime-local"
          value={source.from}
          onChange={(event) => change({ ...source, from: event.target.value })}
        />
      </label>
      <label className="field">
        <span>To (now, when left out)</span>
        <input
          className="input"
          type="datetime-local"
          value={source.to}
          onChange={(event) => change({ ...source, to: event.target.value })}
        />
      </label>
    </div>
  );
}
