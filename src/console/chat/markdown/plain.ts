// Whether a text has nothing that Markdown would change. Most of what people write is such text. It is shown as it is,
// without the parser.

const MARKS = /[`*_~[\]<>&\\|#]|^[ \t]*(?:[-+=]|\d{1,9}[.)])/m;

export function isPlain(text: string): boolean {
  return !MARKS.test(text);
}
