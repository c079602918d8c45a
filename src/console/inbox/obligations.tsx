// The table of obligations: who owes whom what, for how long, and its state. Where an operator may discharge one, there
// is a button for it.
import type { ReactNode } from 'react';
import type { ShownObligation } from '../../protocol/operator-api.ts';
import { useClient } from '../api/context.tsx';
import { Action } from '../ui/button.tsx';
import { Chip } from '../ui/chip.tsx';
import { Table } from '../ui/table.tsx';
import { Ago } from '../ui/time.tsx';

interface ObligationsProps {
  title: string;
  none: string;
  obligations: readonly ShownObligation[];
  changed: () => void;
}

export function Obligations({ title, none, obligations, changed }: ObligationsProps): ReactNode {
  const client = useClient();
  return (
    <section className="stack-close">
      <h3>
        {title}: {obligations.length}
      </h3>
      {obligations.length === 0 && <p className="dim">{none}</p>}
      {obligations.length > 0 && (
        <Table
          label={title}
          rows={obligations}
          rowKey={({ key }) => key}
          columns={[
            { title: 'By', cell: ({ owedBy }) => owedBy },
            { title: 'To', cell: ({ owedTo }) => owedTo },
            {
              title: 'Blocks',
              cell: ({ blocks }) => <Chip {...(blocks === 'none' ? {} : { kind: 'warn' })}>{blocks}</Chip>,
            },
            { title: 'Stands', cell: ({ words }) => words },
            { title: 'Meanwhile', cell: ({ defaultAction }) => defaultAction },
            { title: 'Since', cell: ({ createdAt }) => <Ago at={createdAt} /> },
            {
              title: '',
              cell: ({ key, operatorMay, mayDischarge }) =>
                operatorMay ? (
                  <Action
                    small
                    act={() => client.post(`/v1/obligations/${encodeURIComponent(key)}/discharge`, {})}
                    done={changed}
                  >
                    Discharge
                  </Action>
                ) : (
                  <span className="dim small">only by {mayDischarge.join(', ')}</span>
                ),
            },
          ]}
        />
      )}
    </section>
  );
}
