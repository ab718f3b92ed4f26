/** Time limit of a test and of a hook. It ends only tests that hang: a busy machine never reaches it. Milliseconds. */
export const HANG_MS = 120_000;

/** Time limit of the few tests that take half a minute or longer on a quiet machine. Milliseconds. */
export const LONG_HANG_MS = 600_000;

/** Time limit of one wait in a test, shorter than the test's limit, so that a failure names the wait. Milliseconds. */
export const WAIT_MS = 100_000;
