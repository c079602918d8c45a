// What attention costs and saves: turns spent, compared with answering everything and with mentions only, and the
// tokens given to models; over time, per agent, per conversation.
import { type ReactNode, useState } from 'react';
import type { AgentsPage, ConversationsPage, StatsAnswer, Tally } from '../../protocol/operator-api.ts';
import { useAsked } from '../api/use-asked.ts';
import { useFilters } from '../route.ts';
import { placeText } from '../timeline/words.ts';
import { Select } from '../ui/field.tsx';
import { ICONS } from '../ui/icons.tsx';
import { Empty, ErrorNote, Waiting } from '../ui/note.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { Plot } from './plot.tsx';
import { Tiles } from './tiles.tsx';
import './turns.css';

export function Turns(): ReactNode {
  const [filters, change] = useFilters(['period', 'agent', 'conversation'] as const);
  const period = PERIODS.find(({ id }) => id === filters.period) ?? PERIODS[1];
  // The start is fixed when the period is chosen. A start that moved with the clock would ask again on every render.
  const [from, setFrom] = useState(() => startOf(period, Date.now()));
  const { agent, conversation } = filters;
  const query = { from, bucket: period.bucket, agent, conversation };
  const { answer, error, waiting, again } = useAsked<StatsAnswer>('/v1/stats', query, ['logged']);
  const agents = useAsked<AgentsPage>('/v1/agents', { limit: 200 }).answer?.agents ?? [];
  const places = useAsked<ConversationsPage>('/v1/conversations', { limit: 200 }).answer?.conversations ?? [];
  return (
    <section className="view" aria-labelledby="turns-title">
      <header className="view-head">
        <h1 id="turns-title">Turns</h1>
        <p>Every turn of a model that was spent, and those that were not</p>
        <div className="row push">
          <Select
            hideLabel
            label="Period"
            value={period.id}
            options={PERIODS.map(({ id, title }) => ({ value: id, title }))}
            onChange={(id) => {
              change({ period: id });
              setFrom(startOf(PERIODS.find((one) => one.id === id) ?? period, Date.now()));
            }}
          />
          <Select
            hideLabel
            label="Agent"
            none="every agent"
            value={agent}
            options={agents.map(({ id }) => id)}
            onChange={(id) => change({ agent: id })}
          />
          <Select
            hideLabel
            label="Conversation"
            none="everywhere"
            value={conversation}
            options={places.map((one) => ({ value: one.key, title: placeText(one) }))}
            onChange={(key) => change({ conversation: key })}
          />
        </div>
      </header>
      <div className="view-body stack">
        {error !== undefined && <ErrorNote error={error} again={again} />}
        {waiting && <Waiting what="what was spent" />}
        {answer !== undefined && <Spent answer={answer} />}
      </div>
    </section>
  );
}

function Spent({ answer }: { answer: StatsAnswer }): ReactNode {
  const { totals, buckets, byAgent, byConversation, complete } = answer;
  const period = { fromMs: Date.parse(answer.from), toMs: Date.parse(answer.to), bucketMs: answer.bucketMs };
  if (totals.messages === 0 && totals.turns === 0) {
    return (
      <Empty title="Nothing was said in this period" icon={ICONS.turns} command="npx earshot stats">
        <p>
          Here you see how many turns of a model were spent, by whom and for how much, and how many messages
          needed none. Choose a longer period, or write something in the chat. The same in a terminal:
        </p>
      </Empty>
    );
  }
  return (
    <>
      {!complete && (
        <p className="note" data-tone="warn">
          The period holds more than is looked through: what is counted begins later. Choose a shorter one to
          see all of it.
        </p>
      )}
      <Tiles totals={totals} />
      <Plot
        title="Turns"
        at={buckets.map(({ at }) => at)}
        period={period}
        series={[
          { title: 'spent', tone: 'engage', values: buckets.map(({ turns }) => turns), filled: true },
          {
            title: 'answering everything',
            tone: 'denied',
            values: buckets.map(({ everythingTurns }) => everythingTurns),
          },
          { title: 'mentions only', tone: 'accent', values: buckets.map(({ mentionTurns }) => mentionTurns) },
        ]}
      />
      <Plot
        title="Tokens"
        at={buckets.map(({ at }) => at)}
        period={period}
        series={[
          { title: 'all', tone: 'claim', values: buckets.map(({ tokens }) => tokens), filled: true },
          {
            title: 'an estimate',
            tone: 'denied',
            values: buckets.map(({ tokensEstimated }) => tokensEstimated),
          },
        ]}
      />
      <div className="turns-tables">
        <section className="stack-close">
          <h2>By agent</h2>
          <Table
            label="By agent"
            rows={byAgent}
            rowKey={(row) => row.agent}
            columns={[{ title: 'Agent', cell: (row) => row.agent }, ...COUNTS]}
          />
        </section>
        <section className="stack-close">
          <h2>By conversation</h2>
          <Table
            label="By conversation"
            rows={byConversation}
            rowKey={(row) => row.conversation}
            columns={[{ title: 'Conversation', cell: (row) => row.id }, ...COUNTS]}
          />
        </section>
      </div>
    </>
  );
}

const COUNTS: readonly Column<Omit<Tally, 'messages'>>[] = [
  { title: 'Turns', number: true, cell: ({ turns }) => turns.toLocaleString() },
  { title: 'Saved', number: true, cell: ({ savedEverything }) => savedEverything.toLocaleString() },
  {
    title: 'Mentions miss',
    number: true,
    cell: ({ mentionMissed }) => mentionMissed.toLocaleString(),
  },
  { title: 'Answers', number: true, cell: ({ answers }) => answers.toLocaleString() },
  { title: 'Tokens', number: true, cell: tokensCell },
];

/** A tilde stands before what is mostly a guess. */
function tokensCell({ tokens, tokensEstimated, usd }: Omit<Tally, 'messages'>): string {
  const cost = usd === 0 ? '' : `, $${usd.toFixed(usd < 1 ? 4 : 2)}`;
  return `${tokensEstimated * 2 > tokens ? '~' : ''}${tokens.toLocaleString()}${cost}`;
}

interface PeriodChoice {
  id: string;
  title: string;
  ms: number;
  bucket: 'minute' | 'hour' | 'day';
}

/** The periods one can look at, each with the bucket size of its plot. */
const PERIODS = [
  { id: 'hour', title: 'last hour', ms: 3_600_000, bucket: 'minute' },
  { id: 'day', title: 'last day', ms: 86_400_000, bucket: 'hour' },
  { id: 'week', title: 'last week', ms: 7 * 86_400_000, bucket: 'hour' },
  { id: 'month', title: 'last 30 days', ms: 30 * 86_400_000, bucket: 'day' },
  { id: 'years', title: 'last five years', ms: 5 * 365 * 86_400_000, bucket: 'day' },
] as const satisfies readonly PeriodChoice[];

/** The start of the period as ISO text. */
function startOf({ ms }: PeriodChoice, now: number): string {
  return new Date(now - ms).toISOString();
}
