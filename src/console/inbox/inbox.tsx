// The inbox: escalations and approvals, obligations that have come to a human, and deliveries that are stuck.
import type { ReactNode } from 'react';
import type {
  DeliveriesPage,
  InboxPage,
  ObligationsAnswer,
  ShownDelivery,
} from '../../protocol/operator-api.ts';
import { Deliveries } from '../agents/queue.tsx';
import { useAsked } from '../api/use-asked.ts';
import { useFilters } from '../route.ts';
import { Empty, ErrorNote, Waiting } from '../ui/note.tsx';
import { Tabs } from '../ui/tabs.tsx';
import './inbox.css';
import { ICONS } from '../ui/icons.tsx';
import { InboxItem, isFailure } from './item.tsx';
import { Obligations } from './obligations.tsx';

const SHOWN = 200;
/** A delivery that is open for longer than this is shown. */
const STUCK_MS = 5 * 60_000;

export function Inbox(): ReactNode {
  const [{ open }, change] = useFilters(['open'] as const);
  const closed = open === 'false';
  const inbox = useAsked<InboxPage>('/v1/inbox', { limit: SHOWN, open: closed ? 'false' : 'true' }, [
    'inbox',
  ]);
  const items = (inbox.answer?.inbox ?? []).toSorted((a, b) => Number(isFailure(b)) - Number(isFailure(a)));
  return (
    <section className="view" aria-labelledby="inbox-title">
      <header className="view-head">
        <h1 id="inbox-title">Inbox</h1>
        <p>What waits for a person</p>
        <div className="push">
          <Tabs
            label="Which"
            chosen={closed ? 'false' : 'true'}
            choose={(id) => change({ open: id === 'true' ? '' : id })}
            tabs={[
              { id: 'true', title: 'Waiting' },
              { id: 'false', title: 'Seen to' },
            ]}
          />
        </div>
      </header>
      <div className="view-body stack">
        <h2 className="hidden">{closed ? 'Seen to' : 'Waiting'}</h2>
        {inbox.error !== undefined && <ErrorNote error={inbox.error} again={inbox.again} />}
        {inbox.waiting && <Waiting what="the inbox" />}
        {inbox.answer !== undefined && items.length === 0 && (
          <Empty
            title={closed ? 'Nothing has been seen to yet' : 'Nobody waits for you'}
            icon={ICONS.inbox}
            {...(closed ? {} : { command: 'npx earshot owed' })}
          >
            <p>
              {closed
                ? 'What you approve, decline or mark as seen to is kept here.'
                : 'Here comes what the agents could not settle: questions without an answer, loops that were stopped, messages that need your yes. A number beside Inbox says how many. What is owed, in a terminal:'}
            </p>
          </Empty>
        )}
        <ul className="stack-close">
          {items.map((item) => (
            <InboxItem key={item.key} item={item} changed={inbox.again} />
          ))}
        </ul>
        {!closed && <HumanDebts />}
        {!closed && <StuckDeliveries />}
      </div>
    </section>
  );
}

function HumanDebts(): ReactNode {
  const asked = useAsked<ObligationsAnswer>('/v1/obligations', {}, ['inbox', 'logged']);
  const mine = (asked.answer?.obligations ?? []).filter(
    ({ rung, owedBy }) => rung === 'human' || owedBy.startsWith('human:'),
  );
  if (asked.error !== undefined) return <ErrorNote error={asked.error} again={asked.again} />;
  if (mine.length === 0) return null;
  return (
    <Obligations
      title="Obligations that wait for a person"
      none=""
      obligations={mine}
      changed={asked.again}
    />
  );
}

function StuckDeliveries(): ReactNode {
  const news = ['deliver', 'settled', 'withdraw'];
  const dead = useAsked<DeliveriesPage>('/v1/deliveries', { state: 'dead_lettered', limit: SHOWN }, news);
  const open = useAsked<DeliveriesPage>('/v1/deliveries', { limit: SHOWN }, news);
  const stuck = [...(dead.answer?.deliveries ?? []), ...(open.answer?.deliveries ?? []).filter(isStuck)];
  const again = (): void => {
    dead.again();
    open.again();
  };
  const error = dead.error ?? open.error;
  if (error !== undefined) return <ErrorNote error={error} again={again} />;
  if (stuck.length === 0) return null;
  return (
    <section className="stack-close">
      <h2>Deliveries that are stuck or were given up: {stuck.length}</h2>
      <Deliveries label="Stuck deliveries" deliveries={stuck} changed={again} withAgent />
    </section>
  );
}

function isStuck({ createdAt, attempt, policy }: ShownDelivery): boolean {
  if (policy === 'must_not_respond') return false;
  return attempt > 1 || Date.now() - Date.parse(createdAt) > STUCK_MS;
}
