// The file that `earshot init` writes. Prose begins with "# ". A "#" directly before a key marks an option that works
// as soon as the "#" is removed; a test does exactly that.
import { stringify } from 'yaml';
import type { Plan } from './init-plan.ts';

export function configText({ agents, lead, source }: Plan): string {
  const [first = 'lead'] = agents;
  const responder = agents.find((agent) => agent !== lead) ?? first;
  return `# Earshot: who is in chat, and by which rules. Made by "earshot init"; "earshot doctor" checks it.
# Where "#" stands right before a key, take it away to have the option. Every key with its default and limit is in
# docs/reference/configuration.md. The host watches this file: what you save counts at once. To look first, write a
# draft beside it: "earshot reload --dry-run draft.yaml". To go back: "earshot reload --back VERSION", or the page.

agents:
${agents.map((agent, index) => agentText(agent, lead, index === 0)).join('')}
# Who hears of debts that nobody else settles: a person's id in chat. "you" is the one that
# has a token on this machine from the first start on.
owner: you

# Rules for some conversations: platform/workspace/conversation, or the last alone. The first entry that fits counts.
#conversations:
#  # Answers a person who is alone there and names nobody.
#  - match: builds
#    defaultResponder: ${scalar(responder)}
#  # Everything may be claimed by anybody: games, stand-ups.
#  - match: standup
#    openFloor: true
#  # Only explicit calls wake anybody.
#  - match: "slack/T1/C02NEWS"
#    mode: mention_only

# How patient, in milliseconds and messages.
#limits:
#  # Lines of one author within this are one turn.
#  composeMs: 2000
#  # What must be answered comes again after this, then goes to the lead.
#  deadlineMs: 300000
#  # Agents among themselves are stopped after so many turns without a person or a result.
#  loopStopTurns: 10

host:
  # The next free port from 7575 on, unless you write one. Wider than this machine only once you have made tokens.
  #listen: { host: 127.0.0.1, port: 8080 }
  dataDir: ./.earshot
  #allowedHosts: [earshot.example.com]

  # The web chat is built in. For somebody else to sign in: earshot token create --kind person --subject ada
  # A source is a program that brings chat in by POST /v1/events and shows what agents say (docs/http.md).
${sourceText(source)}
  # Sends that wait until a person agrees.
  #sensitive:
  #  - reason: deploys
  #    words: [deploy, rollback]

  #limits:
  #  # What an agent may say unasked, per conversation and hour.
  #  unpromptedPerHour: 6
`;
}

function agentText(agent: string, lead: string | undefined, options: boolean): string {
  const led =
    lead === undefined || lead === agent
      ? ''
      : `    # Gets what this one declines or leaves unanswered.\n    lead: ${scalar(lead)}\n`;
  return `  - id: ${scalar(agent)}\n${led}${options ? AGENT_OPTIONS : ''}`;
}

const AGENT_OPTIONS = `    # What people call it besides its id, and its accounts on the platforms.
    #name: Nova
    #aliases: [nov]
    #accounts: [U02NOVA]
    # A call of a role is offered to one holder at a time.
    #roles: [oncall]
    # What is said there and to nobody else is its business.
    #owns: { streams: [alerts], conversations: [C02INCIDENTS] }
    # Where it is at all, and whom it hears.
    #conversations: ["*"]
    #respondTo: ["*"]
    #ignore: ["human:U099"]
    # exchange, one_shot or off: whether an answer to it needs no mention.
    #stickiness: exchange
`;

/** A named platform restricts the source to it. Without one, the source may send events of any platform. */
function sourceText(source: string | undefined): string {
  if (source === undefined) return '  #sources:\n  #  - id: bridge\n  #    platform: irc\n';
  return `  sources:\n    - id: ${scalar(source)}\n      #platform: irc\n`;
}

/** Quotes a name such as "yes" or "7", which YAML would not read as text. */
function scalar(text: string): string {
  return stringify(text).trim();
}
