// Gemini's generateContent: one object, whole or as the only event of a stream.
import type { Said } from '../../runners/provider/script.ts';

export function geminiBody(model: string, { text, toolCalls, usage }: Said): object {
  const parts = [
    ...(text === '' ? [] : [{ text }]),
    ...toolCalls.map(({ name, input }) => ({ functionCall: { name, args: input } })),
  ];
  return {
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
    usageMetadata: {
      promptTokenCount: usage.input,
      candidatesTokenCount: usage.output,
      totalTokenCount: usage.input + usage.output,
    },
    modelVersion: model,
    responseId: 'r1',
  };
}

export function geminiError(status: number, message: string): object {
  return { error: { code: status, message, status: status === 400 ? 'INVALID_ARGUMENT' : 'UNAVAILABLE' } };
}
