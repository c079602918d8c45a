// Nothing points at nothing: every page is in the index, every link and picture is there, every command named exists.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseHostConfig } from '../../src/cli/config.ts';
import { COMMANDS } from '../../src/cli/dispatch.ts';

const files = readdirSync('docs', { recursive: true, encoding: 'utf8' });
const pages = [
  'README.md',
  ...files.filter((name) => name.endsWith('.md')).map((name) => join('docs', name)),
];
const text = new Map(pages.map((page) => [page, readFileSync(page, 'utf8')]));

/** Links of a page that lead to a file or a heading of ours, as paths from the root. */
function linksOf(page: string): { link: string; file: string; heading: string | undefined }[] {
  const prose = (text.get(page) ?? '').replaceAll(/^```.*?^```/gms, '').replaceAll(/`[^`\n]*`(?!\])/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [path = '', heading] = link.split('#');
      return { link, file: path === '' ? page : join(dirname(page), path), heading };
    });
}

/** As pages on the web make anchors of headings. */
function anchorsOf(page: string): string[] {
  const headings = [...(text.get(page) ?? '').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('the documentation', () => {
  it('has every page in its index', () => {
    const linked = new Set(linksOf(join('docs', 'README.md')).map(({ file }) => file));
    const missing = pages.filter((page) => page.startsWith('docs') && !linked.has(page));
    expect(missing).toEqual([join('docs', 'README.md')]);
  });

  it.each(pages)('%s links to what is there', (page) => {
    const broken = linksOf(page).filter(({ file, heading }) => {
      if (!existsSync(file)) return true;
      return heading !== undefined && text.has(file) && !anchorsOf(file).includes(heading);
    });
    expect(broken.map(({ link }) => link)).toEqual([]);
  });

  it('shows every picture somewhere, and only pictures that are there', () => {
    const shown = new Set(pages.flatMap((page) => linksOf(page).map(({ file }) => relative('docs', file))));
    const pictures = files.filter((name) => name.endsWith('.svg'));
    expect(pictures.length).toBeGreaterThan(0);
    expect(pictures.filter((name) => !shown.has(name))).toEqual([]);
  });

  it.each(pages)('%s names commands that exist', (page) => {
    const code = [...(text.get(page) ?? '').matchAll(/^```\n.*?^```|`[^`\n]+`/gms)].map(([block]) => block);
    const said = code.flatMap((block) =>
      [...block.matchAll(/(?:^|[`\n]|npx |\| )earshot ([a-z][a-z-]*)/g)].map(([, command = '']) => command),
    );
    const known = new Set([...COMMANDS.map(({ name }) => name), 'help']);
    expect(said.filter((command) => !known.has(command))).toEqual([]);
  });

  it.each(pages.filter((page) => page.includes(join('docs', 'reference'))))(
    '%s shows configuration that parses',
    (page) => {
      for (const [, yaml = ''] of (text.get(page) ?? '').matchAll(/^```yaml\n(.*?)^```/gms)) {
        expect(parseHostConfig(yaml, page).attention.agents.length).toBeGreaterThan(0);
      }
    },
  );
});
