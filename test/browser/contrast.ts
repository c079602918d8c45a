// The contrast of everything on a page, in every state: at rest, under the pointer, with focus, pressed, disabled,
// selected. The browser is told to take each state; the colours are those it renders then.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CDPSession, Page } from 'playwright-core';

const IN_PAGE = readFileSync(join(import.meta.dirname, 'contrast-in-page.js'), 'utf8');

/** Kinds of elements that were looked at already, by theme. */
export type SeenKinds = Map<string, Set<string>>;

interface TreeNode {
  nodeId: number;
  nodeType: number;
  attributes?: string[];
  children?: TreeNode[];
}

/** Everything with too little contrast. Each kind of element is looked at once per theme. */
export async function faint(page: Page, theme: string, seen: SeenKinds): Promise<string[]> {
  const kinds = seen.get(theme) ?? new Set();
  seen.set(theme, kinds);
  await page.evaluate(IN_PAGE);
  const found = await ask<string[]>(page, 'page', 'at rest');
  const marked = await ask<string[]>(page, 'mark', [...kinds]);
  for (const kind of marked) kinds.add(kind);
  const session = await page.context().newCDPSession(page);
  try {
    await session.send('DOM.enable');
    await session.send('CSS.enable');
    const { root } = await session.send('DOM.getDocument', { depth: -1, pierce: false });
    const chains = chainsIn(root);
    for (const [number, kind] of marked.entries()) {
      const chain = chains.get(String(number));
      try {
        if (chain !== undefined) found.push(...(await faintStates(page, session, number, chain)));
      } catch (error) {
        // The page is live: the element was replaced meanwhile. One of its kind is looked at later.
        if (!String(error).includes('Could not find node')) throw error;
        kinds.delete(kind);
      }
    }
  } finally {
    await session.detach();
  }
  return [...new Set(found)];
}

/** Runs with every control of the page in this state at once: for a picture of it. */
export async function inState(
  page: Page,
  state: 'hover' | 'focus',
  look: () => Promise<void>,
): Promise<void> {
  await page.evaluate(IN_PAGE);
  await ask(page, 'mark', []);
  const session = await page.context().newCDPSession(page);
  try {
    await session.send('DOM.enable');
    await session.send('CSS.enable');
    const { root } = await session.send('DOM.getDocument', { depth: -1, pierce: false });
    for (const chain of chainsIn(root).values()) {
      await force(session, chain.slice(-1), STATES[state]).catch(() => undefined);
    }
    await look();
  } finally {
    await session.detach();
  }
}

const STATES = {
  hover: ['hover'],
  focus: ['focus', 'focus-visible', 'focus-within'],
  'focus under the pointer': ['focus', 'focus-visible', 'focus-within', 'hover'],
  pressed: ['hover', 'active'],
} as const;

async function faintStates(
  page: Page,
  session: CDPSession,
  number: number,
  chain: readonly number[],
): Promise<string[]> {
  const found: string[] = [];
  const judge = async (name: keyof typeof STATES, prefix = ''): Promise<void> => {
    await force(session, chain, STATES[name]);
    found.push(...(await ask<string[]>(page, 'element', number, `${prefix}${name}`)));
    if (name.startsWith('focus'))
      found.push(...(await ask<string[]>(page, 'ring', number, `${prefix}${name}`)));
    await force(session, chain, []);
  };
  for (const name of Object.keys(STATES) as (keyof typeof STATES)[]) await judge(name);
  for (const attribute of ['disabled', 'selected']) {
    if (!(await ask<boolean>(page, 'set', number, attribute))) continue;
    found.push(...(await ask<string[]>(page, 'element', number, attribute)));
    await judge('hover', `${attribute}, `);
    await ask(page, 'unset', number, attribute);
  }
  return found;
}

/** Whatever is under the pointer, its parents are too. Focus is on the last one alone; its parents have it within. */
async function force(
  session: CDPSession,
  chain: readonly number[],
  states: readonly string[],
): Promise<void> {
  const parents = states.filter((state) => state === 'hover' || state === 'focus-within');
  await Promise.all(
    chain.map((nodeId, index) =>
      session.send('CSS.forcePseudoState', {
        nodeId,
        forcedPseudoClasses: index === chain.length - 1 ? [...states] : parents,
      }),
    ),
  );
}

/** For each marked element its own id and those of its parents. */
function chainsIn(root: TreeNode): Map<string, number[]> {
  const found = new Map<string, number[]>();
  const walk = (node: TreeNode, above: readonly number[]): void => {
    const chain = node.nodeType === ELEMENT ? [...above, node.nodeId] : above;
    const { attributes = [], children = [] } = node;
    const at = attributes.indexOf('data-contrast');
    if (at >= 0 && at % 2 === 0) found.set(attributes[at + 1] ?? '', chain.slice(-CHAIN));
    for (const child of children) walk(child, chain);
  };
  walk(root, []);
  return found;
}

const ELEMENT = 1;
/** So many parents may change their look under the pointer. */
const CHAIN = 8;

function ask<T>(page: Page, name: string, ...args: unknown[]): Promise<T> {
  return page.evaluate(`contrastCheck.${name}(...${JSON.stringify(args)})`);
}
