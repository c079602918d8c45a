// The surfaces that do not work as they should, each with what a person can do about it. Nothing when all are well.
import type { ReactNode } from 'react';
import type { SurfacesAnswer } from '../../protocol/operator-api.ts';
import { useAsked } from '../api/use-asked.ts';

export function SurfaceNotes(): ReactNode {
  const { answer } = useAsked<SurfacesAnswer>('/v1/surfaces', {}, ['surface']);
  const unwell = answer?.surfaces.filter(({ state }) => state !== 'up') ?? [];
  return unwell.map(({ id, state, said, fix }) => (
    <div key={id} className="note" data-tone={state === 'down' ? 'error' : 'warn'} role="status">
      <span>
        <strong>{id}</strong> {said}
        {fix === null ? '' : `: ${fix}`}
      </span>
    </div>
  ));
}
