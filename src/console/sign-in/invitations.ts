import { createHash, randomBytes } from "node:crypto";
import type { ConsoleRole } from "./sessions.ts";

/** Invitation with which one browser can sign in once, by token or by code. */
export interface Invitation {
  /** Token for programs; valid for a minute. */
  readonly token: string;
  /**
   * Code for people to type, such as `7KQ2-M9XP`; valid for an hour. It never occurs in an address or on a command
   * line.
   */
  readonly code?: string;
}

interface InvitationNeeds {
  /**
   * Whether the invitation has a code besides its token. Programs need no code, and may create many invitations.
   * @default true
   */
  readonly withCode?: boolean;
  /** Called once the token has been used or has expired. */
  readonly onSpent?: (() => void) | undefined;
}

/** Result of redeeming a token or a code: a role, or the reason of the refusal. */
export type Redeemed = ConsoleRole | "void" | "too-many";

/** Invitations that have not been used yet. They end with the process. */
export interface Invitations {
  create(role: ConsoleRole, needs?: InvitationNeeds): Invitation;
  redeemToken(token: string): Redeemed;
  redeemCode(code: string): Redeemed;
  close(): void;
}

export const TOKEN_MS = 60_000;
export const CODE_MS = 3_600_000;
/** Maximum number of open invitations. A further invitation invalidates the oldest one. */
const MAX_INVITATIONS = 1_000;
/**
 * Maximum number of wrong codes in a minute, from all browsers together. Further codes are refused without a check,
 * since a code has only 40 bits.
 */
const MAX_WRONG_CODES = 10;
const WRONG_CODES_MS = 60_000;

interface OpenInvitation {
  readonly role: ConsoleRole;
  readonly tokenHash: string;
  readonly codeHash: string | undefined;
  readonly tokenUntil: number;
  readonly until: number;
  readonly spent: () => void;
}

export function openInvitations(now: () => number): Invitations {
  const open = new Set<OpenInvitation>();
  let wrongCodes: readonly number[] = [];
  const drop = (invitation: OpenInvitation): void => {
    open.delete(invitation);
    invitation.spent();
  };
  const use = (invitation: OpenInvitation | undefined): Redeemed => {
    if (invitation === undefined) return "void";
    drop(invitation);
    return invitation.role;
  };
  return {
    create(role, { withCode = true, onSpent } = {}) {
      for (const each of open) {
        if (each.until <= now() || open.size >= MAX_INVITATIONS) drop(each);
      }
      const token = randomBytes(32).toString("base64url");
      const code = withCode ? freshCode() : undefined;
      const timer = setTimeout(() => onSpent?.(), TOKEN_MS).unref();
      open.add({
        role,
        tokenHash: hashOf(token),
        codeHash: code === undefined ? undefined : hashOf(lettersOf(code)),
        tokenUntil: now() + TOKEN_MS,
        until: now() + (withCode ? CODE_MS : TOKEN_MS),
        spent() {
          clearTimeout(timer);
          onSpent?.();
        },
      });
      return { token, ...(code !== undefined && { code }) };
    },
    redeemToken(token) {
      const hash = hashOf(token);
      return use([...open].find((one) => one.tokenHash === hash && now() < one.tokenUntil));
    },
    redeemCode(code) {
      wrongCodes = wrongCodes.filter((at) => now() - at < WRONG_CODES_MS);
      if (wrongCodes.length >= MAX_WRONG_CODES) return "too-many";
      const hash = hashOf(lettersOf(code));
      const redeemed = use([...open].find((one) => one.codeHash === hash && now() < one.until));
      if (redeemed === "void") wrongCodes = [...wrongCodes, now()];
      return redeemed;
    },
    close() {
      for (const each of open) drop(each);
    },
  };
}

/** Digits and letters of codes. I, L, O and U are left out, because they are easily mistaken. */
const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

function freshCode(): string {
  const code = Array.from(randomBytes(8), (byte) => LETTERS[byte & 31]).join("");
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** Normalizes an entered code: removes spaces and dashes, and corrects letters that are commonly mistaken. */
function lettersOf(code: string): string {
  return code
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, "")
    .replaceAll("O", "0")
    .replaceAll(/[IL]/g, "1");
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
