/** How long a lease of the processes holds: not much longer than a request may take, so that a round is short. */
export const LEASE_MS = 8_000;
