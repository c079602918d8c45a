// A Slack export by somebody who means harm: markup in every name and text, paths that lead out, a huge line.
const MARKUP =
  '<script>globalThis.pwned=true</script><img src=x onerror="globalThis.pwned=true">"\'`</style></title>';

function message(n: number, more: Record<string, unknown>): Record<string, unknown> {
  return { type: 'message', ts: `${1_790_812_800 + n}.000100`, user: 'U1', text: '', ...more };
}

export function hostileExport(): [path: string, content: unknown][] {
  const bot = { id: 'UB', team_id: MARKUP, is_bot: true, profile: { display_name: `Evil${MARKUP}` } };
  const person = { id: 'U1', profile: { display_name: `Ada${MARKUP}` } };
  return [
    ['users.json', [bot, person]],
    ['channels.json', [{ id: `C1${MARKUP}`, name: `general${MARKUP}`, members: ['U1', 'UB'] }]],
    [`general${MARKUP.replaceAll('/', '')}/2026-10-01.json`, [message(0, { text: `<@UB> ${MARKUP}` })]],
    [
      'other/2026-10-01.json',
      [
        message(1, { text: `<@UB> &lt;script&gt;globalThis.pwned=true&lt;/script&gt; is this escaped?` }),
        message(2, { text: `javascript:globalThis.pwned=true ${MARKUP}` }),
        message(3, {
          text: `<@UB|${MARKUP}> can you?`,
          subtype: 'bot_message',
          bot_id: MARKUP,
          username: MARKUP,
          user: undefined,
        }),
        message(4, { text: 'x'.repeat(190_000) }),
        message(5, { subtype: MARKUP }),
        message(6, { text: '\u202Egnihton\u0000\u001B[31m', reactions: [{ name: MARKUP, users: ['U1'] }] }),
      ],
    ],
    ['../../outside/2026-10-01.json', [message(7, { text: 'out' })]],
    [`other/${MARKUP.replaceAll('/', '')}.json`, '{'],
  ];
}
