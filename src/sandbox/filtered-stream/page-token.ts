/** Length that the interface gives tokens of pages of rules. */
const LENGTH = 16;

/** The token of the page after a rule. */
export function ruleToken(id: string): string {
  return BigInt(id).toString(32).padStart(LENGTH, "0");
}

/** The id of the rule that a token's page comes after; undefined where it is no such token. */
export function readRuleToken(token: string): string | undefined {
  if (!/^[0-9a-v]{16}$/.test(token)) return undefined;
  let id = 0n;
  for (const digit of token) id = id * 32n + BigInt(Number.parseInt(digit, 32));
  return String(id);
}
