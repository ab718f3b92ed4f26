/** What the shop's own database would say: the codes that there are, with who has redeemed them. */
const CODES = new Map<string, string | undefined>([
  ["ROSE", undefined],
  ["TULIP", undefined],
  ["CROCUS", undefined],
]);

/**
 * Redeems a code for one person.
 *
 * It may be called twice for one message, so it says `ok` to the same person again.
 */
export function redeem({ code, user }: { code: string; user: string }): "ok" | "used" | "unknown" {
  if (!CODES.has(code)) return "unknown";
  const redeemedBy = CODES.get(code) ?? user;
  CODES.set(code, redeemedBy);
  return redeemedBy === user ? "ok" : "used";
}
