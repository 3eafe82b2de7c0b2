import { defineConfig } from 'vitest/config';

const soaks = process.env.ISOCHORE_SOAK === '1';

export default defineConfig({
  test: {
    // `npm run soak` runs what takes hours, and nothing else.
    include: [soaks ? 'test/soak/**/*.test.ts' : 'test/**/*.test.ts'],
    exclude: soaks ? [] : ['test/soak/**'],
    // Simulations keep a core busy: more workers than cores would only make each other time out.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
