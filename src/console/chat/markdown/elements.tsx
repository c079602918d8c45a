// React elements for the tokens of the parser. A token that is not in these tables becomes the text it was written as,
// so no element or attribute can appear that is not named here.
import { createElement, type ReactNode } from 'react';
import { isolated, withVisibleControls } from './bidi.tsx';
import { CodeBlock } from './code-block.tsx';
import { INLINE_DEPTH_MAX } from './limits.ts';
import type { Token } from './parse.ts';
import { Prose, type Reading, SafeLink } from './prose.tsx';
import { isSafeHref } from './safe-href.ts';
import { type Branch, treeOf } from './tree.ts';

/** Tokens that are one element around their children, without attributes. */
const BLOCK_TAGS: Readonly<Record<string, string>> = {
  blockquote_open: 'blockquote',
  bullet_list_open: 'ul',
  thead_open: 'thead',
  tbody_open: 'tbody',
  tr_open: 'tr',
};
const INLINE_TAGS: Readonly<Record<string, string>> = { em_open: 'em', strong_open: 'strong', s_open: 's' };

export function blockElements(tokens: readonly Token[], reading: Reading): ReactNode {
  return blocks(treeOf(tokens), reading);
}

function blocks(branches: readonly Branch[], reading: Reading): ReactNode[] {
  return branches.map((branch, index) => blockElement(branch, `${index}`, reading));
}

function blockElement({ token, children }: Branch, key: string, reading: Reading): ReactNode {
  const tag = BLOCK_TAGS[token.type];
  if (tag !== undefined) return createElement(tag, { key }, blocks(children, reading));
  switch (token.type) {
    case 'inline':
      return inlines(treeOf(token.children ?? []), reading, { depth: 0, linked: false });
    case 'paragraph_open':
      // In a tight list the parser hides its paragraphs.
      if (token.hidden) return blocks(children, reading);
      return (
        <p key={key} dir="auto">
          {blocks(children, reading)}
        </p>
      );
    case 'heading_open':
      // No heading: those of the page tell people where they are in it.
      return (
        <p key={key} dir="auto" className="md-heading" data-level={token.tag.slice(1)}>
          {blocks(children, reading)}
        </p>
      );
    case 'ordered_list_open':
      return (
        <ol key={key} start={startOf(token)}>
          {blocks(children, reading)}
        </ol>
      );
    case 'list_item_open':
      return listItem(children, key, reading);
    case 'table_open':
      return (
        <div key={key} className="md-table" role="group" aria-label="table" tabIndex={reading.tabIndex}>
          <table>{blocks(children, reading)}</table>
        </div>
      );
    case 'th_open':
    case 'td_open':
      return createElement(
        token.tag === 'th' ? 'th' : 'td',
        { key, dir: 'auto', 'data-align': alignOf(token) },
        blocks(children, reading),
      );
    case 'fence':
      return (
        <CodeBlock
          key={key}
          code={token.content.replace(/\n$/, '')}
          info={token.info}
          tabIndex={reading.tabIndex}
        />
      );
    case 'hr':
      return <hr key={key} />;
    default:
      return isolated(token.content, key);
  }
}

const TASK = /^\[([ xX])\] /;

/** `[ ]` and `[x]` at the head of an item are a task. The box only shows: the text is changed by an edit. */
function listItem(children: readonly Branch[], key: string, reading: Reading): ReactNode {
  const first = children[0]?.children[0]?.token.children?.[0];
  const task = first?.type === 'text' ? TASK.exec(first.content) : null;
  if (first === undefined || task === null) {
    return (
      <li key={key} dir="auto">
        {blocks(children, reading)}
      </li>
    );
  }
  const done = task[1] !== ' ';
  return (
    <li key={key} dir="auto" className="md-task">
      <span className="md-box" role="img" aria-label={done ? 'done' : 'to do'}>
        {done ? '☑' : '☐'}
      </span>
      {blocks(withoutTask(children, first), reading)}
    </li>
  );
}

/** The same tree without the box in its first text. Tokens are shared between renderings, so none is changed. */
function withoutTask([paragraph, ...others]: readonly Branch[], first: Token): Branch[] {
  const inline = paragraph?.children[0];
  if (paragraph === undefined || inline === undefined) return others;
  const text = Object.assign(Object.create(first) as Token, { content: first.content.replace(TASK, '') });
  const children = [text, ...(inline.token.children ?? []).slice(1)];
  const token = Object.assign(Object.create(inline.token) as Token, { children });
  return [{ ...paragraph, children: [{ ...inline, token }] }, ...others];
}

interface Inside {
  depth: number;
  linked: boolean;
}

function inlines(branches: readonly Branch[], reading: Reading, inside: Inside): ReactNode[] {
  return branches.map((branch, index) => inlineElement(branch, `${index}`, reading, inside));
}

function inlineElement(
  { token, children }: Branch,
  key: string,
  reading: Reading,
  inside: Inside,
): ReactNode {
  const deeper = { ...inside, depth: inside.depth + 1 };
  if (token.nesting > 0 && deeper.depth > INLINE_DEPTH_MAX) return flat(children);
  const tag = INLINE_TAGS[token.type];
  if (tag !== undefined) return createElement(tag, { key }, inlines(children, reading, deeper));
  switch (token.type) {
    case 'text':
      return inside.linked ? (
        withVisibleControls(token.content)
      ) : (
        <Prose key={key} text={token.content} reading={reading} />
      );
    case 'softbreak':
    case 'hardbreak':
      return '\n';
    case 'code_inline':
      return <code key={key}>{withVisibleControls(token.content)}</code>;
    case 'link_open': {
      const shown = inlines(children, reading, { ...deeper, linked: true });
      return linkTo(attributeOf(token, 'href'), shown, key, reading);
    }
    case 'image': {
      // Nothing is loaded from an address in chat. The picture is a link to it.
      const alt = token.content.trim();
      return linkTo(attributeOf(token, 'src'), alt === '' ? 'image' : `image: ${alt}`, key, reading);
    }
    default:
      return isolated(token.content, key);
  }
}

function linkTo(href: string, shown: ReactNode, key: string, { tabIndex }: Reading): ReactNode {
  if (!isSafeHref(href)) return shown;
  return (
    <SafeLink key={key} href={href} title={href} tabIndex={tabIndex}>
      {shown}
    </SafeLink>
  );
}

/** The text alone, without a level of recursion for each mark. */
function flat(branches: readonly Branch[]): string {
  let text = '';
  const rest = branches.toReversed();
  for (let branch = rest.pop(); branch !== undefined; branch = rest.pop()) {
    const { token, children } = branch;
    text += token.type === 'softbreak' || token.type === 'hardbreak' ? '\n' : token.content;
    for (const child of children.toReversed()) rest.push(child);
  }
  return text;
}

function attributeOf({ attrs }: Token, name: string): string {
  return String(attrs?.find(([key]) => key === name)?.[1] ?? '');
}

/** A list that begins at another number than 1. */
function startOf(token: Token): number | undefined {
  const start = Number(attributeOf(token, 'start'));
  return Number.isSafeInteger(start) && start !== 0 ? start : undefined;
}

/** The parser says it as a style, which the page's policy refuses. */
function alignOf(token: Token): string | undefined {
  return /text-align:(left|right|center)/.exec(attributeOf(token, 'style'))?.[1];
}
