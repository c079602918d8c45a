// The reviewer answers offers to `oncall`, as the builder does, reviews, and argues for spaces.
import { argues } from './argument.ts';
import type { DemoScript } from './script.ts';

const READING_MS = 3_000;

export const REVIEWER: DemoScript = {
  agent: 'reviewer',
  cues: [
    ...argues('spaces', 'builder'),
    {
      name: 'review',
      hears: /\breview\b/i,
      agents: true,
      does: async ({ turn, pause }) => {
        await pause(READING_MS);
        await turn.reply('Reviewed: small, tested, good to merge.');
        return undefined;
      },
    },
    {
      name: 'the build',
      hears: /\b(?:deploy\w*|build|green|red|tests?)\b/i,
      does: 'The build is green and every test has passed.',
    },
  ],
  otherwise: 'I am listening. "@reviewer review this" gives me something to read.',
};
