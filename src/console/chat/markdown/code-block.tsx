// A block of code: its language, a button that copies it, and colours when the browser has time for them.
import { type ReactNode, useRef, useState } from 'react';
import { withVisibleControls } from './bidi.tsx';
import { useHighlighted } from './use-highlighted.ts';

interface CodeBlockProps {
  code: string;
  /** What stands behind the fence. Its first word is the language. */
  info: string;
  tabIndex: number;
}

const LANGUAGE_CHARS = 24;

export function CodeBlock({ code, info, tabIndex }: CodeBlockProps): ReactNode {
  const language = /^[\w+#.-]+/.exec(info.trim())?.[0].toLowerCase().slice(0, LANGUAGE_CHARS) ?? '';
  const pieces = useHighlighted(code, language);
  const shown = useRef<HTMLElement>(null);
  const [copied, setCopied] = useState<boolean>();
  const copy = (): void => {
    copyText(code, shown.current).then(setCopied, () => setCopied(false));
  };
  return (
    <div className="md-code" dir="ltr">
      <div className="md-code-head">
        <span className="dim">{language}</span>
        <button
          type="button"
          tabIndex={tabIndex}
          onClick={copy}
          onBlur={() => setCopied(undefined)}
          aria-label={copied === true ? 'Copied' : 'Copy the code'}
        >
          {copied === undefined ? 'Copy' : copied ? 'Copied' : 'Press Ctrl+C'}
        </button>
      </div>
      <pre tabIndex={tabIndex}>
        <code ref={shown}>
          {pieces.map(({ text, scope }, index) =>
            scope === undefined ? (
              withVisibleControls(text)
            ) : (
              <span key={index} data-code={scope}>
                {withVisibleControls(text)}
              </span>
            ),
          )}
        </code>
      </pre>
    </div>
  );
}

/** False when the browser refuses, as it does without https. The code is then selected. */
async function copyText(text: string, element: HTMLElement | null): Promise<boolean> {
  if (window.isSecureContext) {
    await navigator.clipboard.writeText(text);
    return true;
  }
  if (element !== null) getSelection()?.selectAllChildren(element);
  return false;
}
