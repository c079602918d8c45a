// Colours code. A chunk of its own, loaded with the first block that has a known language.
import { createLowlight } from 'lowlight';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import markdown from 'highlight.js/lib/languages/markdown';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

const lowlight = createLowlight({
  bash,
  c,
  css,
  diff,
  go,
  ini,
  java,
  javascript,
  json,
  markdown,
  python,
  rust,
  sql,
  typescript,
  xml,
  yaml,
});

/** A run of code in one colour. Without a scope it has the colour of text. */
export interface Piece {
  text: string;
  scope?: string;
}

/** More pieces than this cost more than colours are worth. */
const PIECES_MAX = 1_500;

/** Undefined: the language is not known, or there are too many pieces. */
export function highlight(code: string, language: string): readonly Piece[] | undefined {
  if (!lowlight.registered(language)) return undefined;
  const pieces: Piece[] = [];
  collect(lowlight.highlight(language, code).children, undefined, pieces);
  return pieces.length > PIECES_MAX ? undefined : pieces;
}

type Nodes = ReturnType<typeof lowlight.highlight>['children'];

/** The tree as runs: the innermost scope with a colour counts. */
function collect(nodes: Nodes, scope: string | undefined, pieces: Piece[]): void {
  for (const node of nodes) {
    if (node.type === 'text') pieces.push({ text: node.value, ...(scope === undefined ? {} : { scope }) });
    else if (node.type === 'element')
      collect(node.children, scopeOf(node.properties['className']) ?? scope, pieces);
  }
}

/** The library's many scopes, as the few that have a colour here (markdown.css). */
const SCOPES: Readonly<Record<string, string>> = {
  keyword: 'keyword',
  literal: 'literal',
  number: 'literal',
  symbol: 'literal',
  string: 'string',
  regexp: 'string',
  char: 'string',
  addition: 'added',
  deletion: 'removed',
  comment: 'comment',
  quote: 'comment',
  title: 'title',
  section: 'title',
  name: 'title',
  'selector-tag': 'title',
  'selector-class': 'title',
  built_in: 'built-in',
  type: 'built-in',
  attr: 'attribute',
  attribute: 'attribute',
  property: 'attribute',
  variable: 'attribute',
  meta: 'comment',
};

function scopeOf(classes: unknown): string | undefined {
  const [first] = Array.isArray(classes) ? classes : [];
  const name = typeof first === 'string' ? first.replace('hljs-', '') : '';
  return Object.hasOwn(SCOPES, name) ? SCOPES[name] : undefined;
}
