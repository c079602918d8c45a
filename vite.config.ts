// How the console page is built: src/console into dist/console, with relative addresses so that it runs under any path.
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: 'src/console',
  base: './',
  plugins: [react()],
  build: {
    outDir: '../../dist/console',
    emptyOutDir: true,
    target: 'es2023',
    // The host's content security policy allows no data: addresses for scripts and styles, and needs none.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
