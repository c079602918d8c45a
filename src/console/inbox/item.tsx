// One entry of the inbox: one sentence, what it is about, and the actions.
import type { ReactNode } from 'react';
import type { ShownInboxItem } from '../../protocol/operator-api.ts';
import { useClient } from '../api/context.tsx';
import { Action, Button } from '../ui/button.tsx';
import { Chip } from '../ui/chip.tsx';
import { Face } from '../ui/face.tsx';
import { Ago } from '../ui/time.tsx';
import { openWhy } from '../why/use-why.ts';

const TITLES: Record<ShownInboxItem['kind'], string> = {
  loop_stopped: 'Loop stopped',
  no_answer: 'No answer',
  declined: 'Declined',
  obligation: 'Obligation',
  dead_letter: 'Given up',
  approval: 'Needs a yes',
  lost_send: 'Perhaps not shown',
  offer_unclaimed: 'Nobody took it',
  leaked_token: 'Token in chat',
};

const FAILURES: ReadonlySet<ShownInboxItem['kind']> = new Set([
  'no_answer',
  'dead_letter',
  'lost_send',
  'leaked_token',
]);

/** Something went wrong. These come first. */
export function isFailure({ kind }: ShownInboxItem): boolean {
  return FAILURES.has(kind);
}

export function InboxItem({ item, changed }: { item: ShownInboxItem; changed: () => void }): ReactNode {
  const { key, kind, words, agents, eventId, createdAt, closedAt, detail } = item;
  const client = useClient();
  const decide = (what: string) => () => client.post(`/v1/inbox/${encodeURIComponent(key)}/${what}`);
  const text = typeof detail['text'] === 'string' ? detail['text'] : undefined;
  return (
    <li className="card inbox-item" data-kind={kind} data-failure={isFailure(item) ? '' : undefined}>
      <div className="row">
        <Chip kind={kind === 'approval' ? 'claim' : isFailure(item) ? 'denied' : 'warn'}>{TITLES[kind]}</Chip>
        {agents.map((agent) => (
          <span key={agent} className="row">
            <Face author={{ id: agent, kind: 'agent', name: agent }} size="small" />
            <b>{agent}</b>
          </span>
        ))}
        <span className="dim small">
          <Ago at={createdAt} />
        </span>
      </div>
      <p>{words}</p>
      {text !== undefined && <blockquote className="said said-text">{text}</blockquote>}
      <div className="row">
        {closedAt === null && kind === 'approval' && (
          <>
            <Action tone="primary" act={decide('approve')} done={changed}>
              Approve
            </Action>
            <Action tone="danger" act={decide('decline')} done={changed}>
              Decline
            </Action>
          </>
        )}
        {closedAt === null && kind !== 'approval' && (
          <Action act={decide('close')} done={changed}>
            Seen to
          </Action>
        )}
        {closedAt !== null && (
          <span className="dim">
            closed <Ago at={closedAt} />
          </span>
        )}
        <Button tone="quiet" onClick={() => openWhy(eventId, agents[0])}>
          Why?
        </Button>
      </div>
    </li>
  );
}
