// Cross-origin isolation lets the world use shared memory and threads; without it everything works, slower.
const headers = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

export default { base: './', server: { headers }, preview: { headers }, build: { target: 'es2022' } };
