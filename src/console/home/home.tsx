// The first view: the chat, with the decisions about each message under it. An operator who has not said yet as whom
// they speak sees the decisions in a list beside the question. The panel that says why takes the place of that list, or
// of a thread, so that a decision is on the screen once.
import type { ReactNode } from 'react';
import { Chat } from '../chat/index.tsx';
import { hrefOf } from '../route.ts';
import { type Filters, FILTERS } from '../timeline/filters.ts';
import { NothingYet, TimelineRows } from '../timeline/timeline.tsx';
import { openWhy } from '../why/use-why.ts';
import { SurfaceNotes } from './surfaces.tsx';

/** Everything but typing and membership. */
const SAID: Filters = {
  ...(Object.fromEntries(FILTERS.map((name) => [name, ''])) as Filters),
  type: 'message,edit,delete,reaction,mode',
};

export function Home({ person }: { person: string | undefined }): ReactNode {
  return (
    <>
      <SurfaceNotes />
      <div className="home" data-beside={person === undefined ? '' : undefined}>
        <Chat token={person} onWhy={openWhy} />
        {person === undefined && (
          <section className="home-timeline" aria-labelledby="home-title">
            <header className="view-head">
              <h1 id="home-title">Who was woken, and why</h1>
              <p>decided before a model runs</p>
              <a className="push" href={hrefOf('timeline')}>
                Timeline
              </a>
            </header>
            <TimelineRows filters={SAID} none={<NothingYet />} />
          </section>
        )}
      </div>
    </>
  );
}
