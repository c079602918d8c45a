// Your model, your workflow, your graph. What it returns is the reply; an empty string is silence.
export async function think(text, event) {
  return `You said ${text.length} characters, ${event.author.displayName ?? event.author.id}.`;
}
