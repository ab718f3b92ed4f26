/** Limit of a test and of a hook. It is for what hangs: a busy machine never reaches it. Milliseconds. */
export const HANG_MS = 120_000;

/** Limit of the few tests that work for half a minute and longer on a quiet machine. Milliseconds. */
export const LONG_HANG_MS = 600_000;

/** Limit of one thing that a test waits for: shorter than the test's, so that the failure names the thing. Milliseconds. */
export const WAIT_MS = 100_000;
