// The first view: a chat on the left, and on the right which agents each message woke and why.
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
    <div className="home">
      <Chat token={person} onWhy={openWhy} />
      <section className="home-timeline" aria-labelledby="home-title">
        <header className="view-head">
          <h1 id="home-title">Who was woken, and why</h1>
          <p>decided before a model runs</p>
          <a className="push" href={hrefOf('timeline')}>
            Timeline
          </a>
        </header>
        <SurfaceNotes />
        <TimelineRows filters={SAID} none={<NothingYet />} />
      </section>
    </div>
  );
}
