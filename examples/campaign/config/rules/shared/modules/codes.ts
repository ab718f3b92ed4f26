/** Stand-in for the shop's database: codes, each with the person who has redeemed the code. */
const CODES = new Map<string, string | undefined>([
  ["ROSE", undefined],
  ["TULIP", undefined],
  ["CROCUS", undefined],
]);

/**
 * Redeems a code for one person.
 *
 * The function may be called twice for one message, so it returns `ok` to the same person again.
 */
export function redeem({ code, user }: { code: string; user: string }): "ok" | "used" | "unknown" {
  if (!CODES.has(code)) return "unknown";
  const redeemedBy = CODES.get(code) ?? user;
  CODES.set(code, redeemedBy);
  return redeemedBy === user ? "ok" : "used";
}
