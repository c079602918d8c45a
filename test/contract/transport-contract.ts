// What every transport must do, in one suite that runs unchanged on all of them.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type CloseReason,
  FrameTooLarge,
  listen,
  TRANSPORT_LIMITS,
  type Transport,
  TransportClosed,
} from '../../src/transport/transport.ts';
import type { Pair, TransportKind } from './transport-pairs.ts';

const REASONS: readonly CloseReason[] = [
  'normal',
  'fenced',
  'unauthorized',
  'protocol_error',
  'too_large',
  'going_away',
  'lost',
];

/** Turns of the event loop until it holds; the test's own timeout is the limit. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

export interface Heard {
  frames: string[];
  reasons: CloseReason[];
  errors: Error[];
}
export function hear(transport: Transport): Heard {
  const heard: Heard = { frames: [], reasons: [], errors: [] };
  listen(transport, {
    onmessage: (frame) => heard.frames.push(frame),
    onclose: (reason) => heard.reasons.push(reason),
    onerror: (error) => heard.errors.push(error),
  });
  return heard;
}

export function transportContract(kind: TransportKind): void {
  describe(kind.name, () => {
    let pair: Pair;
    let near: Heard;
    let far: Heard;
    beforeEach(async () => {
      pair = await kind.connect();
      near = hear(pair.near);
      far = hear(pair.far);
    });
    afterEach(() => pair.dispose());

    it('keeps frames whole and in order, both ways', async () => {
      await pair.far.start();
      const frames = Array.from(
        { length: 3_000 },
        (_, i) => `{"n":${i},"pad":"${'x'.repeat((i * 37) % 4_000)}"}`,
      );
      for (const frame of frames) {
        pair.near.send(frame);
        pair.far.send(frame);
      }
      await until(() => far.frames.length >= frames.length && near.frames.length >= frames.length);
      expect(far.frames).toEqual(frames);
      expect(near.frames).toEqual(frames);
      expect([...near.errors, ...far.errors]).toEqual([]);
    });

    it('never delivers inside the call that sends', async () => {
      await pair.far.start();
      pair.near.send('{}');
      expect(far.frames).toEqual([]);
      await until(() => far.frames.length === 1);
    });

    it('carries every script, and a lone surrogate as U+FFFD', async () => {
      await pair.far.start();
      const texts = [
        '"naïve"',
        '"日本語 한국어"',
        '"👩‍👩‍👧‍👦 🏳️‍🌈"',
        '"\u2028\u2029\u0000"',
        '"\\n\\r"',
        '"cut \ud83d here"',
      ];
      for (const text of texts) pair.near.send(text);
      await until(() => far.frames.length === texts.length);
      expect(far.frames).toEqual(texts.map((text) => text.toWellFormed()));
    });

    it('takes a frame of exactly the limit and refuses one byte more, staying open', async () => {
      await pair.far.start();
      const limit = TRANSPORT_LIMITS.frameBytes;
      const whole = `"${'a'.repeat(limit - 2)}"`;
      const wide = `"${'é'.repeat(limit / 2 - 1)}"`;
      expect(() => pair.near.send(`${whole} `)).toThrow(FrameTooLarge);
      expect(() => pair.near.send(`${wide} `)).toThrow(FrameTooLarge);
      pair.near.send(whole);
      pair.near.send(wide);
      pair.near.send('"after"');
      await until(() => far.frames.length === 3);
      expect(far.frames.map((frame) => frame.length)).toEqual([whole.length, wide.length, 7]);
      expect(far.frames[1] === wide).toBe(true);
    });

    it('holds what comes before start: buffered grows, then drains, nothing is lost', async () => {
      const frame = `"${'b'.repeat(65_000)}"`;
      let sent = 0;
      while (pair.near.buffered <= TRANSPORT_LIMITS.bufferedBytes) {
        pair.near.send(frame);
        sent++;
        // The system takes some of it first.
        if (sent % 16 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      expect(far.frames).toEqual([]);
      await pair.far.start();
      await until(() => far.frames.length === sent && pair.near.buffered === 0);
      expect(far.frames.every((text) => text === frame)).toBe(true);
    });

    it.each(REASONS)('closes with %s: both sides hear it, once', async (reason) => {
      await pair.far.start();
      pair.near.close(reason);
      pair.near.close('fenced');
      await until(() => near.reasons.length > 0 && far.reasons.length > 0);
      expect(near.reasons).toEqual([reason]);
      expect(far.reasons).toEqual([kind.carriesReasons || reason === 'lost' ? reason : 'normal']);
      expect(() => pair.near.send('{}')).toThrow(TransportClosed);
      expect(() => pair.far.send('{}')).toThrow(TransportClosed);
      pair.far.close();
      await new Promise((resolve) => setImmediate(resolve));
      expect([...near.reasons, ...far.reasons]).toHaveLength(2);
    });

    it('delivers what was sent before a close, then the close', async () => {
      await pair.far.start();
      const frames = Array.from({ length: 500 }, (_, i) => `{"n":${i},"pad":"${'y'.repeat(1_000)}"}`);
      for (const frame of frames) pair.near.send(frame);
      pair.near.close('normal');
      await until(() => far.reasons.length > 0);
      expect(far.frames).toEqual(frames);
    });

    it('delivers nothing after a close', async () => {
      listen(pair.far, {
        onmessage(frame) {
          far.frames.push(frame);
          pair.far.close('going_away');
        },
      });
      await pair.far.start();
      for (let i = 0; i < 100; i++) pair.near.send(`{"n":${i}}`);
      await until(() => far.reasons.length > 0 && near.reasons.length > 0);
      expect(far.frames).toEqual(['{"n":0}']);
      expect(far.reasons).toEqual(['going_away']);
    });

    it('is told of an end that came before start when it starts', async () => {
      pair.near.send('"last words"');
      pair.near.close('normal');
      await new Promise((resolve) => setImmediate(resolve));
      expect(far.frames).toEqual([]);
      await pair.far.start();
      await until(() => far.reasons.length > 0);
      expect(far).toEqual({ frames: ['"last words"'], reasons: ['normal'], errors: [] });
    });

    it('may be closed before it is started, and cannot be started then', async () => {
      pair.far.close('fenced');
      await until(() => far.reasons.length > 0);
      expect(far.reasons).toEqual(['fenced']);
      await expect(pair.far.start()).rejects.toBeInstanceOf(TransportClosed);
    });

    it('leaves no timer behind', async () => {
      await pair.far.start();
      pair.near.close('normal');
      await until(() => near.reasons.length > 0 && far.reasons.length > 0);
      expect(pair.clock.pending()).toBe(0);
    });
  });
}
