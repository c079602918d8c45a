// The open deliveries of an agent, oldest first. Each has a button to deliver it again.
import type { ReactNode } from 'react';
import type { DeliveriesPage, ShownAgent, ShownDelivery } from '../../protocol/operator-api.ts';
import { useClient } from '../api/context.tsx';
import { useAsked } from '../api/use-asked.ts';
import { Action, Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { Table } from '../ui/table.tsx';
import { Ago } from '../ui/time.tsx';
import { openWhy } from '../why/use-why.ts';

const SHOWN = 50;

export function Queue({ agent, changed }: { agent: ShownAgent; changed: () => void }): ReactNode {
  const { queue } = agent;
  const asked = useAsked<DeliveriesPage>('/v1/deliveries', { limit: 200 }, [
    'deliver',
    'settled',
    'withdraw',
  ]);
  const mine = (asked.answer?.deliveries ?? []).filter((one) => one.agent === agent.id).slice(0, SHOWN);
  return (
    <section className="stack-close">
      <h3>
        Queue: {queue.open}
        {queue.more ? '+' : ''} open, {queue.mustRespond} must be answered
      </h3>
      {asked.error !== undefined && <ErrorNote error={asked.error} again={asked.again} />}
      {mine.length > 0 && <Deliveries label="Queue" deliveries={mine} changed={changed} />}
    </section>
  );
}

interface DeliveriesProps {
  label: string;
  deliveries: readonly ShownDelivery[];
  changed: () => void;
  withAgent?: boolean;
}

/** Deliveries with their state and reason, and the button that delivers one again. */
export function Deliveries({ label, deliveries, changed, withAgent }: DeliveriesProps): ReactNode {
  const client = useClient();
  const agent = { title: 'Agent', cell: (row: ShownDelivery) => row.agent };
  return (
    <Table
      label={label}
      rows={deliveries}
      rowKey={({ key }) => key}
      columns={[
        ...(withAgent === true ? [agent] : []),
        {
          title: 'Message',
          cell: ({ source, eventId, agent: by }) => (
            <Button tone="quiet" small title="Why?" onClick={() => openWhy(source, by)}>
              {eventId}
            </Button>
          ),
        },
        { title: 'Policy', cell: ({ policy }) => policy },
        { title: 'State', cell: ({ state, why }) => (why === null ? state : `${state}: ${why}`) },
        { title: 'Attempt', number: true, cell: ({ attempt }) => attempt },
        { title: 'Since', cell: ({ createdAt }) => <Ago at={createdAt} /> },
        {
          title: '',
          cell: ({ key }) => (
            <Action
              small
              act={() => client.post(`/v1/deliveries/${encodeURIComponent(key)}/redeliver`)}
              done={changed}
            >
              Redeliver
            </Action>
          ),
        },
      ]}
    />
  );
}
