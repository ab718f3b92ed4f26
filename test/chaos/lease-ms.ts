/** Duration of a lease in these tests: not much longer than a request may take, so that a round is short. */
export const LEASE_MS = 8_000;
