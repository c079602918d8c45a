// One line that says what is under way and for how long: it moves on a terminal, elsewhere there is a line now and then.
// Plain JavaScript without dependencies, because it runs before anything is installed.
const MOVE_MS = 250;
const AGAIN_MS = 10_000;

/** Shows the line until the work is over, and then how long it took. */
export async function withProgress(what, work) {
  const started = Date.now();
  const seconds = () => `${Math.round((Date.now() - started) / 1_000)} s`;
  const { stderr } = process;
  const say = (text) => stderr.write(stderr.isTTY ? `\r\u001b[2Kearshot: ${text}` : `earshot: ${text}\n`);
  say(`${what} …`);
  const timer = setInterval(() => say(`${what} … ${seconds()}`), stderr.isTTY ? MOVE_MS : AGAIN_MS);
  try {
    const result = await work();
    clearInterval(timer);
    say(`${what}: done in ${seconds()}${stderr.isTTY ? '\n' : ''}`);
    return result;
  } catch (error) {
    clearInterval(timer);
    if (stderr.isTTY) stderr.write('\n');
    throw error;
  }
}
