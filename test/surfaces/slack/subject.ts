// The Slack surface against the workspace of the tests, with its events over HTTP as Slack posts them.
import { WebClient } from '@slack/web-api';
import type { Clock } from '../../../src/runtime/clock.ts';
import { type SlackOptions, slackSurface } from '../../../src/surfaces/slack/slack.ts';
import type { Surface } from '../../../src/surfaces/surface.ts';
import { secret } from '../receiver.ts';
import { BOT_TOKEN, SIGNING_SECRET, type Workspace } from './workspace.ts';

export function slackOver(workspace: Workspace, clock: Clock, more: Partial<SlackOptions> = {}): Surface {
  return slackSurface({
    id: 'slack',
    clock,
    WebClient,
    botToken: secret('SLACK_BOT_TOKEN', BOT_TOKEN),
    signingSecret: secret('SLACK_SIGNING_SECRET', SIGNING_SECRET),
    apiUrl: workspace.apiUrl,
    ...more,
  });
}
