// The flat tokens of the parser as a tree. A token that opens something holds what comes before the one that closes it.
import type { Token } from './parse.ts';

export interface Branch {
  token: Token;
  children: Branch[];
}

export function treeOf(tokens: readonly Token[]): Branch[] {
  const top: Branch[] = [];
  const open: Branch[][] = [top];
  for (const token of tokens) {
    if (token.nesting < 0) {
      if (open.length > 1) open.pop();
      continue;
    }
    const branch: Branch = { token, children: [] };
    open.at(-1)?.push(branch);
    if (token.nesting > 0) open.push(branch.children);
  }
  return top;
}
