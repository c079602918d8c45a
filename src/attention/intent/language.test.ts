import { expect, it } from 'vitest';
import { languageOf } from './language.ts';

it.each([
  ['en', '@builder is the build green?'],
  ['en', 'deploy'],
  ['en', ''],
  ['en', 'builder 12345'],
  ['de', '@builder kannst du bitte die Rechnung prüfen?'],
  ['de', '@builder warum schlägt der Test fehl?'],
  ['es', '@builder ¿puedes revisar el código de pago?'],
  ['fr', '@builder peux-tu vérifier le paiement ?'],
  ['pt', '@builder você pode revisar o código?'],
  ['ja', '@builder ビルドは通りましたか？'],
  ['ko', '@builder 빌드가 통과했나요?'],
  ['zh', '@builder 构建通过了吗？'],
])('%s: %s', (language, text) => {
  expect(languageOf(text)).toBe(language);
});
