// Characters that turn the direction of what follows. In prose, a text with one is isolated, so that it turns nothing
// around it. In code and in links, where the order of the signs is what one reads for, each is shown by its number.
import type { ReactNode } from 'react';

const TURNING = /[\u202a-\u202e\u2066-\u2069]/;
const EACH_TURNING = /([\u202a-\u202e\u2066-\u2069])/;

export function isolated(text: string, key?: string): ReactNode {
  return TURNING.test(text) ? <bdi key={key}>{text}</bdi> : text;
}

export function withVisibleControls(text: string): ReactNode {
  if (!TURNING.test(text)) return text;
  return text.split(EACH_TURNING).map((part, index) =>
    TURNING.test(part) ? (
      <span key={index} className="control" title="This character turns the direction of text">
        {`U+${part.charCodeAt(0).toString(16).toUpperCase()}`}
      </span>
    ) : (
      part
    ),
  );
}
