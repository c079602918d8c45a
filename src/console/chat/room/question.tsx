// The buttons under an agent's line that waits for a person, and how it ended. People choose as themselves, and the host says
// who may. An operator may always, as in the inbox.
import { type ReactNode, useContext, useState } from 'react';
import type { ShownInboxItem } from '../../../protocol/operator-api.ts';
import type { WebQuestion } from '../../../protocol/web-chat.ts';
import type { Client } from '../../api/client.ts';
import { useClient } from '../../api/context.tsx';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { useChatClient } from '../context.tsx';
import { chatWords } from '../wire/refusal.ts';
import { DecidedContext } from './decisions.tsx';

interface QuestionProps {
  eventId: string;
  question: WebQuestion;
  tabIndex: number;
}

export function Question(props: QuestionProps): ReactNode {
  const { outcome } = props.question;
  const isOperator = useContext(DecidedContext) !== undefined;
  if (outcome !== undefined)
    return (
      <p className="question-outcome" role="status">
        {outcome}
      </p>
    );
  return isOperator ? <OperatorChoices {...props} /> : <PersonChoices {...props} />;
}

function PersonChoices(props: QuestionProps): ReactNode {
  const client = useChatClient();
  return <Choices {...props} choose={(choice) => client.choose(props.eventId, choice)} words={chatWords} />;
}

function OperatorChoices(props: QuestionProps): ReactNode {
  const client = useClient();
  return <Choices {...props} choose={(choice) => chooseInInbox(client, props.question.item, choice)} />;
}

async function chooseInInbox(client: Client, item: string, choice: string): Promise<string> {
  if (choice !== 'show') {
    await client.post(`/v1/inbox/${encodeURIComponent(item)}/${choice}`);
    return '';
  }
  const { inbox } = await client.get<{ inbox: ShownInboxItem[] }>('/v1/inbox', { open: 'true', limit: 200 });
  const text = inbox.find(({ key }) => key === item)?.detail['text'];
  return typeof text === 'string' ? text : 'It is not in the inbox any more.';
}

interface ChoicesProps extends QuestionProps {
  /** Resolves with what is to be read by whoever chose. */
  choose: (choice: string) => Promise<string>;
  words?: (error: unknown) => string;
}

function Choices({ question, tabIndex, choose, words }: ChoicesProps): ReactNode {
  const [told, setTold] = useState('');
  const { busy, problem, run } = useSubmit(words);
  return (
    <>
      <div className="row question" role="group" aria-label="Decide">
        {question.choices.map(({ id, label, style }) => (
          <Button
            key={id}
            small
            tone={style ?? 'plain'}
            tabIndex={tabIndex}
            disabled={busy}
            onClick={() => void run(async () => setTold(await choose(id)))}
          >
            {label}
          </Button>
        ))}
      </div>
      {told !== '' && (
        <p className="question-told" role="status">
          {told}
        </p>
      )}
      <Problem words={problem} small />
    </>
  );
}
