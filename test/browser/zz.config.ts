export default { root: '/tmp/h/wt/blocks', test: { include: ['test/browser/zz.test.ts'], testTimeout: 90_000 } };
