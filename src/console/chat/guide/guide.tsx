// The guide's card: one thing to try, what will happen, where to look, and what has happened so far.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { useChatClient } from '../context.tsx';
import { CHAT_ICONS } from '../icons.tsx';
import { isDone } from './progress.ts';
import { GUIDE, type GuideStep } from './steps.ts';
import type { GuideControl } from './use-guide.ts';

interface GuideProps {
  guide: GuideControl;
  conversation: string;
  /** Puts text into the field. */
  fill: (text: string) => void;
  /** Whether the person sees who was woken, and why: what the guide points at. */
  operator: boolean;
}

export function Guide({ guide, conversation, fill, operator }: GuideProps): ReactNode {
  const { step, index, checks, done, go, toggle } = guide;
  const { playing, play } = usePlay(conversation, step);
  const finished = isDone(checks) || done.includes(step.id);
  const last = index === GUIDE.length - 1;
  return (
    <aside className="guide" aria-label="Guide">
      <header className="guide-head">
        <h2>
          {index + 1} of {GUIDE.length} · {step.title}
        </h2>
        <Steps index={index} done={done} go={go} />
        <button
          type="button"
          className="tool"
          aria-label="Close the guide"
          title="Close; the button above opens it again"
          onClick={toggle}
        >
          {CHAT_ICONS.close}
        </button>
      </header>
      <ol className="guide-say">
        {step.say.map((text) => (
          <li key={text}>
            <q>{text}</q>
          </li>
        ))}
      </ol>
      <p>{step.what}</p>
      {operator && <p className="dim">{step.watch}</p>}
      <ul className="guide-checks" aria-label="What has happened">
        {checks.map(({ words, done: is }) => (
          <li key={words} data-done={is ? '' : undefined}>
            {is ? CHAT_ICONS.check : <span className="guide-open" aria-hidden="true" />}
            {words}
            <span className="hidden">{is ? ': it has happened' : ': not yet'}</span>
          </li>
        ))}
      </ul>
      <footer className="row">
        <Button small tone={finished ? 'plain' : 'primary'} disabled={playing} onClick={play}>
          {playing
            ? 'Sending…'
            : step.say.length === 1
              ? 'Send it for me'
              : `Send all ${step.say.length} for me`}
        </Button>
        {step.say.length === 1 && (
          <Button small onClick={() => fill(step.say[0] ?? '')}>
            Put it in the field
          </Button>
        )}
        <span className="push">
          {last ? (
            finished && (
              <Button small tone="primary" onClick={toggle}>
                That was all
              </Button>
            )
          ) : (
            <Button small tone={finished ? 'primary' : 'quiet'} onClick={() => go(index + 1)}>
              {finished ? 'Next' : 'Skip'}
            </Button>
          )}
        </span>
      </footer>
    </aside>
  );
}

function Steps({
  index,
  done,
  go,
}: {
  index: number;
  done: readonly string[];
  go: (index: number) => void;
}): ReactNode {
  return (
    <ol className="guide-steps">
      {GUIDE.map(({ id, title }, at) => (
        <li key={id}>
          <button
            type="button"
            title={title}
            aria-label={`Step ${at + 1}: ${title}${done.includes(id) ? ', done' : ''}`}
            aria-current={at === index ? 'step' : undefined}
            data-done={done.includes(id) ? '' : undefined}
            onClick={() => go(at)}
          />
        </li>
      ))}
    </ol>
  );
}

/** Sends the messages of the step at its pace. Going to another step stops it. */
function usePlay(conversation: string, step: GuideStep): { playing: boolean; play: () => void } {
  const client = useChatClient();
  const [playing, setPlaying] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      setPlaying(false);
    },
    [step, conversation],
  );
  const from = (index: number): void => {
    const text = step.say[index];
    if (text === undefined) return setPlaying(false);
    client.post(conversation, text);
    if (index + 1 === step.say.length) return setPlaying(false);
    timer.current = setTimeout(() => from(index + 1), step.everyMs);
  };
  const play = (): void => {
    setPlaying(true);
    from(0);
  };
  return { playing, play };
}
