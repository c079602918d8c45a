// Where the dial of one agent differs: what the settings say about single conversations, what people in the chat asked for,
// and a way to add one and to take one back.
import { type ReactNode, useState } from 'react';
import { patternOf } from '../../attention/pattern.ts';
import type { PlaceRule } from '../../attention/place-dial.ts';
import type { MovedDial } from '../../protocol/settings-api.ts';
import { useClient } from '../api/context.tsx';
import { placeText } from '../timeline/words.ts';
import { Action } from '../ui/button.tsx';
import { Ago } from '../ui/time.tsx';
import { AddRoomDial } from './room-dial-add.tsx';
import { RoomDialRow } from './room-dial-row.tsx';
import { matchText, type RoomDial, rulesBefore, wordsForAll } from './room-dials.ts';
import type { Rooms } from './use-rooms.ts';

export interface RoomDialsProps {
  agent: string;
  /** Whether the agent sets its own dial: then no word for all counts for it. */
  hasOwn: boolean;
  rooms: Rooms;
  /** The rules in force. */
  rules: readonly PlaceRule[];
  /** Of all agents, as they are in force and as they are in the form. */
  before: readonly RoomDial[];
  dials: readonly RoomDial[];
  changeDials: (dials: readonly RoomDial[]) => void;
}

export function RoomDials(props: RoomDialsProps): ReactNode {
  const { agent, hasOwn, rooms, rules, before, dials, changeDials } = props;
  const own = dials.filter((one) => one.agent === agent);
  const moves = rooms.moves.filter((one) => one.agent === agent);
  const forAll = hasOwn ? [] : wordsForAll(rules);
  const [added, setAdded] = useState<readonly string[]>([]);
  const replace = (match: string, value: string): void =>
    changeDials(dials.map((one) => (one.agent === agent && one.match === match ? { ...one, value } : one)));
  return (
    <section className="stack-close room-dials" aria-label={`Conversations where ${agent} differs`}>
      <h4>In single conversations</h4>
      {own.length + moves.length + forAll.length === 0 && (
        <p className="dim small">Nowhere yet: it is the same everywhere.</p>
      )}
      <ul>
        {own.map((dial) => (
          <RoomDialRow
            key={dial.match}
            dial={dial}
            title={matchText(dial.match, rooms.titles)}
            conversation={rooms.conversations.find((one) => patternOf(one) === dial.match)?.key ?? null}
            was={before.find((one) => one.agent === agent && one.match === dial.match)?.value}
            hiddenBy={rulesBefore(rules, dial.match)}
            opened={added.includes(dial.match)}
            change={(value) => replace(dial.match, value)}
            leaveOut={() => changeDials(dials.filter((one) => one !== dial))}
          />
        ))}
        {forAll.map(({ match, value }) => (
          <li key={match} className="room-dial">
            <p>
              <b>{matchText(match, rooms.titles)}</b> {value}{' '}
              <span className="dim small">in the file, for all agents that set no dial of their own</span>
            </p>
          </li>
        ))}
        {moves.map((move) => (
          <Moved key={move.key} move={move} rooms={rooms} />
        ))}
      </ul>
      <AddRoomDial
        agent={agent}
        rooms={rooms}
        taken={own.map(({ match }) => match)}
        add={(dial) => {
          setAdded([...added, dial.match]);
          changeDials([...dials, dial]);
        }}
      />
    </section>
  );
}

/** What was asked in the chat is no setting: it is taken back there, or here. */
function Moved({ move, rooms }: { move: MovedDial; rooms: Rooms }): ReactNode {
  const client = useClient();
  const { agent, key, notch, by, at } = move;
  const back = (): Promise<unknown> =>
    client.post(`/v1/agents/${encodeURIComponent(agent)}/mode`, { conversation: key, mode: 'auto' });
  return (
    <li className="room-dial">
      <div className="row">
        <span className="grow">
          <b>{rooms.titles.get(patternOf(move)) ?? placeText(move)}</b> {notch}{' '}
          <span className="dim small">
            asked in the chat
            {by !== null && ` by ${by}`}
            {at !== null && (
              <>
                , <Ago at={at} />
              </>
            )}
          </span>
        </span>
        <Action
          small
          title="its mode here becomes auto, and the dial what the settings say"
          act={back}
          done={rooms.again}
        >
          Back to normal
        </Action>
      </div>
    </li>
  );
}
